'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { act } from '../_ui/desk-api.ts';

const SAVE_AFTER_MS = 800;

/** What a person is putting together on one case. The note is saved while it is written, and is never lost by a refusal. */
export function useForm(caseId: string, draft: string | null) {
  const [note, setNoteText] = useState(draft ?? '');
  const [labels, setLabels] = useState<readonly string[]>([]);
  const [reason, setReason] = useState<string | null>(null);
  const saved = useRef(draft ?? '');
  const current = useRef(note);
  /** Once the note has been sent with a decision, saving it again would bring it back as a draft. */
  const done = useRef(false);
  const inFlight = useRef<Promise<unknown> | null>(null);

  const save = useCallback(async () => {
    if (done.current || current.current === saved.current) return;
    const text = current.current;
    const saving = act(`/api/desk/cases/${caseId}/draft`, { text });
    inFlight.current = saving;
    if ((await saving).ok) saved.current = text;
  }, [caseId]);

  /** Waits for a draft that is on its way: it must not arrive after the decision that takes its place. */
  const settled = useCallback(async () => {
    await inFlight.current;
  }, []);

  const setNote = useCallback((text: string) => {
    current.current = text;
    setNoteText(text);
  }, []);

  useEffect(() => {
    if (note === saved.current) return;
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [note, save]);

  // What the server keeps is taken over where nothing was written here since: a decision taken back brings its note.
  useEffect(() => {
    const kept = draft ?? '';
    if (current.current !== saved.current || kept === saved.current) return;
    saved.current = kept;
    setNote(kept);
  }, [draft, setNote]);

  // A page that is left saves what the timer has not.
  useEffect(() => () => void save(), [save]);

  const toggleLabel = useCallback(
    (label: string) => setLabels((all) => (all.includes(label) ? all.filter((one) => one !== label) : [...all, label])),
    [],
  );
  const setSent = useCallback((sent: boolean) => {
    done.current = sent;
  }, []);

  return { note, setNote, saveNote: save, labels, setLabels, toggleLabel, reason, setReason, setSent, settled };
}

export type DecideForm = ReturnType<typeof useForm>;

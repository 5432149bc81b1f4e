import type { Facet } from './tag-labels.ts';

/**
 * Words that say the same in several languages, as one feature each: a few hundred documents are too few to learn every
 * language by itself. What a concept speaks for is learned, not written here. Stems of lower-case words.
 */
const STEMS: Readonly<Record<string, string>> = {
  // Where care is given.
  ward: 'wards?|bedside|beds?|inpatients?|theatre|surg(?:ery|ical)|intensive|round|station(?:en)?|bett(?:en)?|op|visite|pflegestützpunkt|hospitalis|hôpital|chambres?|bloc|soins intensifs|planta|hospitalización|quirófano|habitación|reparto|degenza|sala operatoria|letti?|afdeling|verpleegafdeling|kamer|oddzia[łl]\\p{L}*|sal[aiy]|szpital\\p{L}*|enfermaria|internamento|servis|yatak',
  emergency:
    'emergency|ed|a&e|resus\\p{L}*|triage|ambulances?|paramedics?|crash|major incident|notaufnahme|rettungs\\p{L}*|schockraum|leitstelle|urgences?|smur|samu|régulation|urgencias|ambulancia|pronto soccorso|ambulanza|spoed\\p{L}*|seh|ambulancier|sor|ratunkow\\p{L}*|karetk\\p{L}*|ratownik\\p{L}*|urgência|acil',
  practice:
    'gp|gps|practice|surgery hours|receptionist|health centre|clinic|vaccinat\\p{L}*|school|referral|praxis|hausarzt\\p{L}*|impf\\p{L}*|überweisung|sprechstunde|cabinet|médecin traitant|vaccin\\p{L}*|centro de salud|consultas?|ambulatorio|medico di famiglia|studio medico|huisarts\\p{L}*|praktijk|spreekuur|przychodni\\p{L}*|szczepie\\p{L}*|rejestracj\\p{L}*|centro de saúde|aile hekim\\p{L}*',
  home: 'home|homes|home care|visits?|district|carers?|doorbell|key safe|kitchen|stairs|neighbour|relatives?|zu hause|häuslich\\p{L}*|hausbesuch\\p{L}*|angehörig\\p{L}*|pflegedienst|domicile|aidants?|domicilio|cuidador\\p{L}*|casa|familiares|familiari|assistenza domiciliare|badante|thuis\\p{L}*|wijk\\p{L}*|mantelzorg\\p{L}*|dom|domu|domow\\p{L}*|rodzin\\p{L}*|opiekun\\p{L}*|evde',
  pharmacy:
    'pharmac\\p{L}*|dispens\\p{L}*|counter|batch|recall|stock|shelf|prescriptions?|apothe\\p{L}*|rezept\\p{L}*|charge|rückruf|officine|comptoir|lot|ordonnance|farmac\\p{L}*|botica|receta|lote|mostrador|ricett\\p{L}*|banco|apotheek|recept|voorraad|aptek\\p{L}*|recept\\p{L}*|lek(?:ów|i)|eczane',
  office:
    'staff|employees?|payroll|expenses?|passwords?|data protection|training|car park|parking|canteen|purchas\\p{L}*|invoices?|building|it|intranet|mitarbeiter\\p{L}*|personal(?:abteilung)?|datenschutz|fortbildung|dienstreise|rechnung|parkplatz|personnel|formation|achats|empleados|personal|formación|compras|dipendenti|personale|formazione|medewerkers|opleiding|inkoop|pracowni\\p{L}*|szkoleni\\p{L}*|hasł\\p{L}*',
  // What kind of document.
  should:
    'should|recommend\\p{L}*|evidence|consider|guidelines?|soll(?:te|ten|en)?|empf(?:ehl|ohl)\\p{L}*|leitlinie\\p{L}*|recommand\\p{L}*|devrai\\p{L}*|preuves?|recomend\\p{L}*|debería\\p{L}*|guía|raccomand\\p{L}*|dovrebb\\p{L}*|linee guida|aanbev\\p{L}*|richtlijn\\p{L}*|zalec\\p{L}*|wytyczn\\p{L}*|powinn\\p{L}*',
  steps:
    'steps?|first|then|procedure|check|press|switch|record|sign|schritte?|zuerst|danach|anschließend|dann|prüfen|étapes?|ensuite|puis|vérifie[rz]?|pasos?|primero|después|luego|passo|poi|quindi|controlla\\p{L}*|stap|daarna|vervolgens|controleer|krok|następnie|potem|sprawd\\p{L}*',
  greeting:
    'dear|sincerely|regards|yours|sehr geehrte\\p{L}*|liebe[rs]?|grüßen|madame|monsieur|cordialement|salutations|estimad[oa]s?|saludos?|atentamente|gentil[ei]|egregi[oa]|saluti|distinti|geachte|beste|groet\\p{L}*|szanown\\p{L}*|poważaniem|pozdrawiam|saludo|prezad[oa]s?|sayın',
  meeting:
    'minutes|present|apologies|agenda|agreed|aob|chair|next meeting|protokoll|anwesend|entschuldigt|beschl(?:uss|ossen)|tagesordnung|sitzung|compte[- ]rendu|présents?|excusés?|ordre du jour|décidé|acta|asistentes|acuerd\\p{L}*|orden del día|verbale|presenti|assenti|deciso|notulen|aanwezig|afwezig|besloten|protokó[łl]|obecni|uchwal\\p{L}*|ustalono',
  fill: 'signature|date of birth|tick|please fill|name of|form|unterschrift|geburtsdatum|ankreuzen|formular|ausfüllen|cocher?|signature|formulaire|date de naissance|firma|marque|formulario|fecha de nacimiento|modulo|barrare|data di nascita|handtekening|aankruisen|formulier|geboortedatum|podpis|zaznacz\\p{L}*|formularz|data urodzenia',
  you: 'you|your|sie|ihre?[nmr]?|ihnen|vous|votre|vos|usted|su|sus|lei|suo|sua|tu|tuo|u|uw|je|państwo|pan(?:i|a)?|twoj\\p{L}*|proszę',
  // Whether it still holds.
  over: 'withdrawn|superseded|expired|obsolete|archived?|no longer|replaced by|until|valid until|was in force|ungültig|aufgehoben|zurückgezogen|abgelaufen|gültig bis|außer kraft|überholt|archiv|ersetzt durch|abrogé\\p{L}*|périmé\\p{L}*|remplacé\\p{L}* par|jusqu.au|caduc\\p{L}*|archivé\\p{L}*|derogad\\p{L}*|retirad\\p{L}*|sustituid\\p{L}*|vencid\\p{L}*|hasta el|obsolet\\p{L}*|abrogat\\p{L}*|ritirat\\p{L}*|sostituit\\p{L}*|scadut\\p{L}*|fino al|superat\\p{L}*|vervallen|ingetrokken|vervangen door|geldig tot|verlopen|nieaktualn\\p{L}*|wycofan\\p{L}*|zastąpion\\p{L}*|uchylon\\p{L}*|obowiązywał\\p{L}*|do dnia|revogad\\p{L}*|yürürlükten',
  missing:
    'to follow|coming soon|to be agreed|to be written|draft|see attachment|attachment missing|not yet|text follows|folgt|entwurf|wird (?:noch )?ergänzt|anlage|à compléter|à venir|brouillon|projet|pendiente|borrador|por completar|bozza|da completare|in preparazione|volgt|concept|bijlage|nog in te vullen|projekt|do uzupełnienia|w przygotowaniu',
  illness:
    'diagnos\\p{L}*|depress\\p{L}*|cancer|hiv|dementia|alcohol|divorce|died|widow|abus\\p{L}*|overdose|krebs|demenz|gestorben|scheidung|alkohol|sucht|démence|alcool|décédé\\p{L}*|veuve|cáncer|demencia|viud[oa]|murió|tumore|demenza|vedov[oa]|kanker|dementie|overleden|nowotw\\p{L}*|zmarł\\p{L}*|otępien\\p{L}*',
};

/** What a document calls itself: that says something about its kind, and would only crowd the other facets. */
const CALLED: Readonly<Record<string, string>> = {
  'called leaflet':
    'leaflets?|brochures?|flyers?|faltblatt|broschüre|merkblatt|\\p{L}*flyer|dépliants?|plaquette|folletos?|trípticos?|opuscol[oi]|pieghevol[ei]|folders?|ulotk\\p{L}*|broszur\\p{L}*|folhetos?|broşür\\p{L}*|letáky?|broschyr\\p{L}*',
  'called letter':
    'letters?|\\p{L}*schreiben|\\p{L}*brief|lettres?|courriers?|cartas?|letter[ae]|brieven|list|listy|pismo|mektup\\p{L}*|brev|dopis\\p{L}*',
  'called form':
    'forms?|records?|logs?|sheets?|applications?|declarations?|consent|\\p{L}*formular\\p{L}*|\\p{L}*bogen|\\p{L}*antrag|formulaires?|fiches?|formularios?|solicitud\\p{L}*|hojas?|modul[oi]|sched[ae]|\\p{L}*formulier\\p{L}*|formularz\\p{L}*|kart[ay]|wniosek|formulários?|blankett\\p{L}*|formulář\\p{L}*',
  'called procedure':
    'procedures?|how to|what to do|sop|instructions?|\\p{L}*anleitung|\\p{L}*anweisung|verfahren|ablauf|procédures?|mode opératoire|procedimientos?|instrucciones|procedur[ae]|istruzion[ei]|werkwijze|\\p{L}*instructie|procedur\\p{L}*|instrukcj\\p{L}*|procedimentos?|rutin\\p{L}*|postup\\p{L}*',
  'called guideline':
    'guidelines?|guidance|recommendations?|leitlinie\\p{L}*|empfehlung\\p{L}*|recommandations?|guías?|recomendaci\\p{L}*|linee guida|raccomandazion[ei]|richtlijn\\p{L}*|aanbeveling\\p{L}*|wytyczn\\p{L}*|zaleceni\\p{L}*|diretrizes|riktlinj\\p{L}*|doporučení',
  'called minutes':
    'minutes|protokoll|niederschrift|compte[- ]rendu|procès-verbal|actas?|verbal[ei]|notulen|verslag|protokó[łl]\\p{L}*|ata|zápis\\p{L}*|tutanak\\p{L}*',
};

const patterns = (stems: Readonly<Record<string, string>>) =>
  Object.entries(stems).map(
    ([name, any]) => [name, new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu')] as const,
  );
const CONCEPTS = patterns(STEMS);
const CONCEPTS_OF: Readonly<Record<Facet, typeof CONCEPTS>> = {
  document_type: [...CONCEPTS, ...patterns(CALLED)],
  care_setting: CONCEPTS,
  retrieval_fit: CONCEPTS,
};

/** @returns how often each concept that matters for a facet is named in a text; none that is not. At most `max` count. */
export function conceptsIn(text: string, facet: Facet, max = 6): [name: string, count: number][] {
  const lower = text.toLowerCase();
  return CONCEPTS_OF[facet].flatMap(([name, pattern]): [string, number][] => {
    const count = lower.match(pattern)?.length ?? 0;
    return count === 0 ? [] : [[name, Math.min(count, max)]];
  });
}

import { readdir, readFile } from 'node:fs/promises';

const FOLDER = new URL('./shipped/', import.meta.url);

/** @returns the policies that come with the program, by slug. */
export async function shippedPolicies(): Promise<{ slug: string; text: string }[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => ({
      slug: file.slice(0, -'.json'.length),
      text: await readFile(new URL(file, FOLDER), 'utf8'),
    })),
  );
}

import { z } from 'zod';

const given = z
  .string()
  .optional()
  .transform((text) => (text === '' ? undefined : text));

const schema = z.object({
  DATABASE_URL: given.pipe(
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address')
      .optional(),
  ),
  DOCKET_ENVIRONMENT: given,
  DOCKET_CLASSIFIERS: given,
  DOCKET_CWD: given,
  DOCKET_PREPARE: given,
  DOCKET_DEBUG: given,
  DOCKET_COMMIT: given,
});

/** Everything the worker and the command line take from their environment. */
export type WorkerEnv = {
  readonly databaseUrl: string | undefined;
  /** What this process was told the environment is; undefined takes what the database says. */
  readonly environment: string | undefined;
  /** Path of the operator's classifiers file. */
  readonly classifiersFile: string | undefined;
  /** Where the user stands; npm itself runs us in the folder of the repository. */
  readonly cwd: string;
  /** The database is ours to prepare (embedded or empty): the shipped policies are published before the command. */
  readonly prepare: boolean;
  /** Traces of unexpected errors are shown. */
  readonly debug: boolean;
  /** The commit this was built from, where the build says so. */
  readonly commit: string | undefined;
  /** A variable that the classifiers file names, as a key. */
  variable(name: string): string | undefined;
};

export type EnvResult = { ok: true; env: WorkerEnv } | { ok: false; problems: string[] };

/**
 * Reads the environment once, at the start of the process.
 * @param variables usually process.env.
 * @returns the environment, or which variables are wrong and how, without their values.
 */
export function readEnv(variables: Readonly<Record<string, string | undefined>>): EnvResult {
  const read = schema.safeParse(variables);
  if (!read.success) {
    return { ok: false, problems: read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) };
  }
  const { data } = read;
  return {
    ok: true,
    env: {
      databaseUrl: data.DATABASE_URL,
      environment: data.DOCKET_ENVIRONMENT,
      classifiersFile: data.DOCKET_CLASSIFIERS,
      cwd: data.DOCKET_CWD ?? process.cwd(),
      prepare: data.DOCKET_PREPARE === '1',
      debug: data.DOCKET_DEBUG === '1',
      commit: data.DOCKET_COMMIT,
      variable: (name) => variables[name],
    },
  };
}

import * as z from 'zod';

/** The environment of the web process, read here and nowhere else in app/. */
const schema = z.object({
  DATABASE_URL: z.string().min(1),
  /** The address that people type: cookies, redirects and the check of where a request comes from all follow it. */
  NEXTAUTH_URL: z.url({ protocol: /^https?$/ }),
  NEXTAUTH_SECRET: z.string().min(16),
  DOCKET_DEMO: z.string().optional(),
  DOCKET_ENVIRONMENT: z.string().min(1).optional(),
});

export type WebEnv = {
  readonly databaseUrl: string;
  readonly origin: string;
  readonly secret: string;
  readonly demo: boolean;
  readonly environment: string | undefined;
};

let read: WebEnv | undefined;

/**
 * Read on first use, so that a build needs no environment.
 * @throws naming the variables that are missing or malformed, never their values.
 */
export function webEnv(): WebEnv {
  if (read) return read;
  const parsed = schema.safeParse(process.env);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    throw new Error(`environment variables missing or malformed: ${names.join(', ')}`);
  }
  read = {
    databaseUrl: parsed.data.DATABASE_URL,
    origin: new URL(parsed.data.NEXTAUTH_URL).origin,
    secret: parsed.data.NEXTAUTH_SECRET,
    demo: parsed.data.DOCKET_DEMO === '1',
    environment: parsed.data.DOCKET_ENVIRONMENT,
  };
  return read;
}

/** True outside of a production build: the development server needs a looser content security policy. */
export const DEVELOPMENT = process.env.NODE_ENV !== 'production';

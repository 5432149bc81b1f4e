/** Publishers of one slug wait for each other, so that numbers are given without gaps and a repeat finds the first. */
export const LOCK_SLUG = "SELECT pg_advisory_xact_lock(hashtextextended('docket policy ' || $1, 0))";

export const SELECT_SAME_DOCUMENT = 'SELECT policy_version FROM policy_version WHERE slug = $1 AND policy_sha256 = $2';

export const INSERT_VERSION = `
  INSERT INTO policy_version (policy_version, slug, n, policy_sha256, prompt_sha256, contract, contract_version, adapter,
                              model, title, document, published_by)
  SELECT $1::text || '@' || next.n, $1, next.n, $2, $3, $4, $5, $6, $7, $8, $9, $10
    FROM (SELECT coalesce(max(n), 0) + 1 AS n FROM policy_version WHERE slug = $1) AS next
  RETURNING policy_version`;

const SUMMARY = `policy_version, slug, n, policy_sha256, prompt_sha256, contract, contract_version, adapter, model, title,
  published_by, published_at`;

export const SELECT_VERSION = `SELECT ${SUMMARY}, document FROM policy_version WHERE policy_version = $1`;

export const SELECT_VERSIONS = `SELECT ${SUMMARY} FROM policy_version ORDER BY slug, n`;

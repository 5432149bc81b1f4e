export const INSERT_AUDIT_EVENT = 'INSERT INTO audit_event (actor, kind, subject, data) VALUES ($1, $2, $3, $4)';

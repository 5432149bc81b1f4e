export const INSERT_EVENTS = `
  INSERT INTO outbox_event (id, kind, content_id, status_version, decision_id, data)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::jsonb[])`;

export const INSERT_INSTALLATION =
  'INSERT INTO installation (secret, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING';

export const SELECT_INSTALLATION = 'SELECT id, secret, environment FROM installation';

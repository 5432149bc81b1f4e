import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Only `migrate` and `db` connect; `generate` needs no database.
  datasource: { url: process.env.DATABASE_URL ?? '' },
});

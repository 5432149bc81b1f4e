import type { NextConfig } from 'next';

const config: NextConfig = {
  // Set only for container builds: `next start` cannot serve a standalone output.
  output: process.env.BUILD_STANDALONE ? 'standalone' : undefined,
  poweredByHeader: false,
  agentRules: false,
  reactStrictMode: true,
  typedRoutes: false,
  serverExternalPackages: ['@prisma/client', '@prisma/adapter-pg', 'pg', 'pino'],
  experimental: { authInterrupts: true, agentUpgrade: false },
};

export default config;

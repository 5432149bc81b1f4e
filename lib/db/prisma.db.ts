import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../prisma/generated/client.ts';

export type Prisma = PrismaClient;

/**
 * Opens Prisma, which pages read through; acts write through `transact`. It connects on first use.
 * @param url a postgresql:// address.
 * @param max connections at most.
 */
export function openPrisma(url: string, { max = 5 } = {}): Prisma {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max }) });
}

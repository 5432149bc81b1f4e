/** Request headers that proxy.ts sets for the pages behind it; whatever a client sent under these names is overwritten. */
export const PATH_HEADER = 'x-docket-path';
export const NONCE_HEADER = 'x-nonce';

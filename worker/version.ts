import manifest from '../package.json' with { type: 'json' };

/** The version of this Docket, as package.json names it. */
export const DOCKET_VERSION: string = manifest.version;

import { LEASE_RELEASE, LEASE_RELEASE_KEY } from "../db/release.ts";

/** SQL condition: only releases newer than this one may lease from the database. */
export const LEASED_BY_NEWER = `EXISTS (SELECT 1 FROM system
  WHERE key = '${LEASE_RELEASE_KEY}' AND CAST(value AS INTEGER) > ${LEASE_RELEASE})`;

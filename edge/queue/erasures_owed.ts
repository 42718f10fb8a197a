/**
 * SQL condition: a restored database still has to search for numbers that were erased after its backup. The search
 * waits for the same sites as leasing (outcomes_owed.ts), so a revoked or written-off site does not delay it.
 */
export const ERASURES_OWED = "EXISTS (SELECT 1 FROM erasures WHERE to_repeat = 1)";

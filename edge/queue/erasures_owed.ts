/**
 * In SQL: whether a restored database still has to look for numbers that were erased after its backup. The look waits for
 * the sites that leasing waits for as well (outcomes_owed.ts), so one that was revoked or written off does not hold it up.
 */
export const ERASURES_OWED = "EXISTS (SELECT 1 FROM erasures WHERE to_repeat = 1)";

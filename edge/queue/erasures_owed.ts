/**
 * In SQL: whether a restored database still has to look for numbers that were erased after its backup. The look needs
 * only the database, so a site that is away or revoked does not hold it up.
 */
export const ERASURES_OWED = "EXISTS (SELECT 1 FROM erasures WHERE to_repeat = 1)";

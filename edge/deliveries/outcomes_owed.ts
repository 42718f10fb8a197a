/** SQL: true when site :site has reported everything from the lost time; until then its reports wait (rule 17). */
export const OUTCOMES_RECEIVED = `EXISTS (SELECT 1 FROM sites reporter
  WHERE reporter.id = :site AND reporter.told_generation = (SELECT value FROM system WHERE key = 'generation'))`;

/** SQL: true while any site still owes reports from the time that a restored database has lost (rule 17). */
export const OUTCOMES_OWED = `EXISTS (SELECT 1 FROM sites owing
  WHERE owing.revoked = 0 AND owing.public_key IS NOT NULL
    AND owing.answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation'))`;

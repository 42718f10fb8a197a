/** In SQL: whether site :site has told all that it did in the lost time; until then its reports wait (rule 17). */
export const HAS_TOLD = `EXISTS (SELECT 1 FROM sites teller
  WHERE teller.id = :site AND teller.told_generation = (SELECT value FROM system WHERE key = 'generation'))`;

/** In SQL: whether a site has yet to tell what it did in the time that a restored database has lost (rule 17). */
export const OUTCOMES_OWED = `EXISTS (SELECT 1 FROM sites owing
  WHERE owing.revoked = 0 AND owing.public_key IS NOT NULL
    AND owing.answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation'))`;

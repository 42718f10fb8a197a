/** In SQL: whether a site has yet to tell what it did in the time that a restored database has lost (rule 17). */
export const OUTCOMES_OWED = `EXISTS (SELECT 1 FROM sites owing
  WHERE owing.revoked = 0 AND owing.public_key IS NOT NULL
    AND owing.answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation'))`;

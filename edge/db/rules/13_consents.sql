-- Consent is evidence (no invariant). Changing or deleting a declaration or its numbers is refused, with two exceptions
-- for people who are forgotten or erased.

CREATE TRIGGER consent_declarations_written_once BEFORE UPDATE ON consent_declarations
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

CREATE TRIGGER consent_declarations_append_only BEFORE DELETE ON consent_declarations
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

-- The only allowed change forgets the number: minus the row's id and a keyed mark replace it.
CREATE TRIGGER consents_written_once BEFORE UPDATE ON consents
WHEN NOT (OLD.phone > 0 AND NEW.phone = -OLD.id AND NEW.mark IS NOT NULL
  AND NEW.id = OLD.id AND NEW.client = OLD.client AND NEW.declaration = OLD.declaration)
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

-- The only allowed delete: the owner of the number asked to be erased.
CREATE TRIGGER consents_append_only BEFORE DELETE ON consents
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE phone = OLD.phone)
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

-- Consent is evidence: written once.

CREATE TRIGGER consent_declarations_written_once BEFORE UPDATE ON consent_declarations
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

CREATE TRIGGER consent_declarations_append_only BEFORE DELETE ON consent_declarations
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

-- The one change of a row: its number gives way to minus its own id and a keyed mark.
CREATE TRIGGER consents_written_once BEFORE UPDATE ON consents
WHEN NOT (OLD.phone > 0 AND NEW.phone = -OLD.id AND NEW.mark IS NOT NULL
  AND NEW.id = OLD.id AND NEW.client = OLD.client AND NEW.declaration = OLD.declaration)
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

-- The one way out: the person behind the number asked to be erased.
CREATE TRIGGER consents_append_only BEFORE DELETE ON consents
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE phone = OLD.phone)
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

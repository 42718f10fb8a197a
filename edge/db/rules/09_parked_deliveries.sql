-- Parked work (no invariant): with automatic failover off, the work of a lost account waits until the account works
-- again. A change of an account's state parks its queued deliveries (PARKED of shared/lease.ts) or frees them.

-- Frees the parked deliveries of an account that works again.
CREATE TRIGGER accounts_back AFTER UPDATE OF state ON accounts
WHEN NEW.state = 'ok' AND OLD.state <> 'ok'
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before = 253402300799000
    AND account = NEW.id AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- Parks deliveries that the account returned just before its loss was known. A site reports the returned work first and
-- the loss later, so returned work waits ACCOUNT_WORD_MS (shared/lease.ts) for this rule to find it.
CREATE TRIGGER accounts_lost AFTER UPDATE OF state ON accounts
WHEN OLD.state = 'ok' AND NEW.state <> 'ok'
  AND (SELECT value FROM settings WHERE key = 'autoFailover') = 'false'
BEGIN
  UPDATE deliveries SET not_before = 253402300799000
  WHERE state = 'queued' AND not_before > NEW.updated_at AND not_before = updated_at + 10000 AND account = NEW.id
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- A site reports what an account left before its inventory says that the account is lost. Until then those rows wait
-- for ACCOUNT_WORD_MS (shared/lease.ts); now they wait for the account's return.
CREATE TRIGGER accounts_lost AFTER UPDATE OF state ON accounts
WHEN OLD.state = 'ok' AND NEW.state <> 'ok'
  AND (SELECT value FROM settings WHERE key = 'autoFailover') = 'false'
BEGIN
  UPDATE deliveries SET not_before = 253402300799000
  WHERE state = 'queued' AND not_before > NEW.updated_at AND not_before = updated_at + 10000 AND account = NEW.id
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

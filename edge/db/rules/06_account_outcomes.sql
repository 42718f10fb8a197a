-- Account health and trends (no invariant). An outcome that a site reports (`by` = 1) is counted in the account's hour
-- (`account_hours`) and in its client's (`client_hours`), and added to the account's latest deliveries
-- (`accounts.recent`).

-- Decisions of a person or of the clock are left out: they say nothing about the account.
CREATE TRIGGER deliveries_outcome_counted AFTER UPDATE OF state ON deliveries
WHEN NEW.by = 1 AND (OLD.state = 'leased' OR OLD.state = 'unknown')
  AND (NEW.state = 'sent' OR NEW.state = 'failed' OR NEW.state = 'unknown')
  AND OLD.state <> NEW.state AND NEW.account IS NOT NULL
BEGIN
  INSERT INTO account_hours (hour, account, sent, failed, absent, unknown) VALUES (
    NEW.updated_at / 3600000, NEW.account, NEW.state = 'sent', NEW.state = 'failed',
    NEW.state = 'failed' AND NEW.reason IS 'not_on_app', NEW.state = 'unknown')
  ON CONFLICT (hour, account) DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed,
    absent = absent + excluded.absent, unknown = unknown + excluded.unknown;
  INSERT INTO client_hours (hour, client, sent, failed, unknown)
  SELECT NEW.updated_at / 3600000, client, NEW.state = 'sent', NEW.state = 'failed', NEW.state = 'unknown'
  FROM campaigns WHERE id = NEW.campaign
  ON CONFLICT (hour, client) DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed,
    unknown = unknown + excluded.unknown;
  -- An index of deliveries by account would cost every delivery more than this list.
  UPDATE accounts SET recent = substr(NEW.id || ' ' || recent, 1, 300),
    last_sent_at = CASE WHEN NEW.state = 'sent' THEN NEW.updated_at ELSE last_sent_at END
  WHERE id = NEW.account;
END;

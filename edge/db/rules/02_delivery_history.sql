-- The trail of a delivery: `attempts` keeps each move that somebody other than the site made.

-- A report writes the site's own word. A delivery that was never leased tells its whole story itself. `outcome` is the
-- state to which the delivery came; `leased_at` and `acked_at` are of the attempt.
CREATE TRIGGER deliveries_history AFTER UPDATE OF state, by ON deliveries
WHEN NEW.by <> 1 AND NEW.state <> 'leased' AND (OLD.state <> NEW.state OR OLD.by <> NEW.by) AND OLD.token IS NOT NULL
BEGIN
  INSERT INTO attempts (campaign, phone, attempt, token, site, account, by, outcome, reason, leased_at, acked_at, at)
  VALUES (NEW.campaign, NEW.phone, NEW.attempt, NEW.token, NEW.site, NEW.account, NEW.by, NEW.state, NEW.reason,
    NEW.leased_at, NEW.acked_at, NEW.updated_at);
END;

-- A chat keeps its sender (no invariant). A delivery that becomes sent notes in `senders` the account that wrote to the
-- number for this client; one that turns out not to be sent takes its own note back.

-- A test to oneself is not noted, and neither is a number that was forgotten. Of a row that was sent again, an earlier
-- attempt may be the one that arrived.
CREATE TRIGGER deliveries_sender_known AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'sent' AND OLD.state <> 'sent' AND NEW.account IS NOT NULL AND NEW.phone > 0
BEGIN
  INSERT INTO senders (client, phone, account, campaign, at)
  SELECT client, NEW.phone, CASE WHEN NEW.resent = 0 THEN NEW.account ELSE coalesce((
      SELECT a.account FROM resends r JOIN attempts a ON a.campaign = r.campaign AND a.phone = r.phone
        AND a.token = r.token AND a.account IS NOT NULL
      WHERE r.campaign = NEW.campaign AND r.phone = NEW.phone AND r.known = 2 ORDER BY a.id DESC LIMIT 1), NEW.account) END,
    id, NEW.updated_at FROM campaigns WHERE id = NEW.campaign AND test_of IS NULL
  ON CONFLICT (client, phone) DO UPDATE SET account = excluded.account, campaign = excluded.campaign,
    at = excluded.at WHERE excluded.at >= at;
END;

CREATE TRIGGER deliveries_sender_unknown AFTER UPDATE OF state ON deliveries
WHEN OLD.state = 'sent' AND NEW.state <> 'sent'
BEGIN
  DELETE FROM senders WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
END;

-- Only a queued row waits for its sender. The claim clears the wait itself.
CREATE TRIGGER deliveries_wait_over AFTER UPDATE OF state ON deliveries
WHEN NEW.awaits IS NOT NULL AND NEW.state <> 'queued'
BEGIN
  UPDATE deliveries SET awaits = NULL WHERE id = NEW.id;
END;

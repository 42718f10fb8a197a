-- A chat keeps its sender (no invariant). A delivery that becomes sent notes in `senders` the account that wrote to the
-- number for this client; one that turns out not to be sent takes its own note back.

-- One trigger for both, because each costs every move of a delivery. A test to oneself is not noted, and neither is a
-- number that was forgotten. Of a row that was sent again, an earlier attempt may be the one that arrived.
CREATE TRIGGER deliveries_sender AFTER UPDATE OF state ON deliveries
WHEN (NEW.state = 'sent') <> (OLD.state = 'sent')
BEGIN
  INSERT INTO senders (client, phone, account, campaign, at)
  SELECT client, NEW.phone, CASE WHEN NEW.resent = 0 THEN NEW.account ELSE coalesce((
      SELECT a.account FROM resends r JOIN attempts a ON a.campaign = r.campaign AND a.phone = r.phone
        AND a.token = r.token AND a.account IS NOT NULL
      WHERE r.campaign = NEW.campaign AND r.phone = NEW.phone AND r.known = 2 ORDER BY a.id DESC LIMIT 1), NEW.account) END,
    id, NEW.updated_at FROM campaigns
  WHERE id = NEW.campaign AND test_of IS NULL AND NEW.state = 'sent' AND NEW.account IS NOT NULL AND NEW.phone > 0
  ON CONFLICT (client, phone) DO UPDATE SET account = excluded.account, campaign = excluded.campaign,
    at = excluded.at WHERE excluded.at >= at;
  DELETE FROM senders WHERE NEW.state <> 'sent' AND phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
END;

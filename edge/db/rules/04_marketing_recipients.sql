-- Whom a client reached (no invariant): when its marketing last reached a number, for the frequency cap (`recipients`),
-- and from which account anything of it last reached the number, so that a chat keeps its sender (`senders`).

-- An unknown outcome counts as sent until it is resolved, for the cap alone. A test message to oneself does not count.
-- One rule for both tables: each further trigger would cost every move of a delivery. Of a row that was sent again, an
-- earlier attempt may be the one that arrived.
CREATE TRIGGER deliveries_marketing_sent AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'sent' OR NEW.state = 'unknown'
BEGIN
  INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT client, NEW.phone, NEW.updated_at, id FROM campaigns
  WHERE OLD.state NOT IN ('sent', 'unknown') AND id = NEW.campaign AND kind = 'marketing' AND test_of IS NULL
  ON CONFLICT (client, phone) DO UPDATE SET last_marketing_at = excluded.last_marketing_at,
    campaign = excluded.campaign;
  INSERT INTO senders (client, phone, account, campaign, at)
  SELECT client, NEW.phone, CASE WHEN NEW.resent = 0 THEN NEW.account ELSE coalesce((
      SELECT a.account FROM resends r JOIN attempts a ON a.campaign = r.campaign AND a.phone = r.phone
        AND a.token = r.token AND a.account IS NOT NULL
      WHERE r.campaign = NEW.campaign AND r.phone = NEW.phone AND r.known = 2 ORDER BY a.id DESC LIMIT 1), NEW.account) END,
    id, NEW.updated_at FROM campaigns
  WHERE NEW.state = 'sent' AND OLD.state <> 'sent' AND NEW.account IS NOT NULL AND NEW.phone > 0
    AND id = NEW.campaign AND test_of IS NULL
  ON CONFLICT (client, phone) DO UPDATE SET account = excluded.account, campaign = excluded.campaign,
    at = excluded.at WHERE excluded.at >= at;
END;

-- Removes the rows when the delivery turns out not to be sent. No older marketing is forgotten: the cap let only this
-- campaign write to the number in that time. An older sender is forgotten with it.
CREATE TRIGGER deliveries_marketing_unsent AFTER UPDATE OF state ON deliveries
WHEN OLD.state IN ('sent', 'unknown') AND NEW.state NOT IN ('sent', 'unknown')
BEGIN
  DELETE FROM recipients WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
  DELETE FROM senders WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
END;

-- The frequency cap of marketing (no invariant). A delivery of a marketing campaign that becomes sent or unknown fires
-- these rules. They write in `recipients` when the client last messaged the number, and by which campaign.

-- An unknown outcome counts as sent until it is resolved. A test message to oneself does not count.
CREATE TRIGGER deliveries_marketing_sent AFTER UPDATE OF state ON deliveries
WHEN NEW.state IN ('sent', 'unknown') AND OLD.state NOT IN ('sent', 'unknown')
  AND (SELECT kind FROM campaigns WHERE id = NEW.campaign AND test_of IS NULL) = 'marketing'
BEGIN
  INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT client, NEW.phone, NEW.updated_at, id FROM campaigns WHERE id = NEW.campaign
  ON CONFLICT (client, phone) DO UPDATE SET last_marketing_at = excluded.last_marketing_at,
    campaign = excluded.campaign;
END;

-- Removes the row when the delivery turns out not to be sent. No older message is forgotten: the cap let only this
-- campaign write to the number in that time, and campaigns whose people it writes to again. What one of these has sent,
-- or may have sent, takes the place.
CREATE TRIGGER deliveries_marketing_unsent AFTER UPDATE OF state ON deliveries
WHEN OLD.state IN ('sent', 'unknown') AND NEW.state NOT IN ('sent', 'unknown')
BEGIN
  DELETE FROM recipients WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
  INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT c.client, NEW.phone, o.updated_at, c.id
  FROM (SELECT id FROM deliveries WHERE id = OLD.origin
    UNION SELECT id FROM deliveries WHERE origin = coalesce(OLD.origin, OLD.id)) f
    JOIN deliveries o ON o.id = f.id JOIN campaigns c ON c.id = o.campaign
  WHERE NEW.phone > 0 AND o.id <> NEW.id AND o.phone = NEW.phone AND o.state IN ('sent', 'unknown') AND c.kind = 'marketing'
    AND c.client = (SELECT client FROM campaigns WHERE id = NEW.campaign)
  ORDER BY o.updated_at DESC LIMIT 1
  ON CONFLICT (client, phone) DO NOTHING;
END;

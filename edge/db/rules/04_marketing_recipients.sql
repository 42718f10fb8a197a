-- The frequency cap: when a client last wrote to a recipient for marketing, and by which campaign.

-- An unknown outcome counts as written until it is known otherwise. A test message to oneself does not count.
CREATE TRIGGER deliveries_marketing_sent AFTER UPDATE OF state ON deliveries
WHEN NEW.state IN ('sent', 'unknown') AND OLD.state NOT IN ('sent', 'unknown')
  AND (SELECT kind FROM campaigns WHERE id = NEW.campaign AND test_of IS NULL) = 'marketing'
BEGIN
  INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT client, NEW.phone, NEW.updated_at, id FROM campaigns WHERE id = NEW.campaign
  ON CONFLICT (client, phone) DO UPDATE SET last_marketing_at = excluded.last_marketing_at,
    campaign = excluded.campaign;
END;

-- Only this campaign could have written within the cap, so nothing older that still counts is forgotten.
CREATE TRIGGER deliveries_marketing_unsent AFTER UPDATE OF state ON deliveries
WHEN OLD.state IN ('sent', 'unknown') AND NEW.state NOT IN ('sent', 'unknown')
BEGIN
  DELETE FROM recipients WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
END;

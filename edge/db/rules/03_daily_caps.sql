-- I6: the caps of a day and of an hour are never exceeded. A lease takes room in `account_days`; a move that proves
-- the message was not tapped returns the room.

-- `given` counts leases that showed the site a new number, and stays when the site returns the row. Otherwise a site
-- could lease and return rows until it had read the whole queue. A row that the same site held last is not counted.
CREATE TRIGGER deliveries_cap_taken AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'leased' AND OLD.state <> 'leased'
BEGIN
  INSERT INTO account_days (account, day, used, given, hour, hour_used)
  VALUES (NEW.account, NEW.leased_day, 1, NEW.is_new_to_site, NEW.leased_at / 3600000, 1)
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1, given = given + excluded.given,
    hour_used = CASE hour WHEN excluded.hour THEN hour_used + 1 ELSE 1 END, hour = excluded.hour;
END;

-- Returns room to the day and hour that it was taken from. `given` falls only when a person called the work back, by a
-- pause, a cancellation or a removal. Otherwise a client who sends and cancels would use up every account's day.
-- A removal that the site itself reported, as a recipient's reply, does not lower `given`.
-- Compare with `=` and OR: for an IN of three or more values SQLite fills a table whenever the trigger runs.
CREATE TRIGGER deliveries_cap_returned AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'leased' AND (NEW.state = 'queued' OR NEW.state = 'cancelled' OR NEW.state = 'skipped'))
  OR (OLD.state = 'unknown' AND NEW.by = 1 AND (NEW.state = 'queued' OR NEW.state = 'cancelled'))
BEGIN
  UPDATE account_days SET used = used - 1, hour_used = hour_used - (hour = OLD.leased_at / 3600000),
    given = given - (OLD.is_new_to_site AND CASE NEW.state WHEN 'cancelled' THEN 1
      WHEN 'skipped' THEN NOT EXISTS (SELECT 1 FROM suppressions WHERE phone = NEW.phone AND source = 'reply')
      ELSE EXISTS (SELECT 1 FROM campaigns
        WHERE id = NEW.campaign AND status <> 'processing' AND status <> 'active') END)
  WHERE account = OLD.account AND day = OLD.leased_day;
END;

-- A campaign with a limit a day uses it as an account uses its cap: by a lease, until a move proves that nothing was
-- tapped. What a site reports later of a row that had returned its part takes it again.
CREATE TRIGGER deliveries_limit_taken AFTER UPDATE OF state ON deliveries
WHEN NEW.leased_day IS NOT NULL AND (SELECT day_limit FROM campaigns WHERE id = NEW.campaign) IS NOT NULL
  AND ((NEW.state = 'leased' AND OLD.state <> 'leased')
    OR ((NEW.state = 'sent' OR NEW.state = 'unknown') AND (OLD.state = 'queued' OR OLD.state = 'cancelled' OR OLD.state = 'skipped')))
BEGIN
  INSERT INTO campaign_days (campaign, day, used) VALUES (NEW.campaign, NEW.leased_day, 1)
  ON CONFLICT (campaign, day) DO UPDATE SET used = used + 1;
END;

CREATE TRIGGER deliveries_limit_returned AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'leased' AND (NEW.state = 'queued' OR NEW.state = 'cancelled' OR NEW.state = 'skipped'))
  OR (OLD.state = 'unknown' AND NEW.by = 1 AND (NEW.state = 'queued' OR NEW.state = 'cancelled'))
BEGIN
  UPDATE campaign_days SET used = used - 1 WHERE campaign = OLD.campaign AND day = OLD.leased_day;
END;

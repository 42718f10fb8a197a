-- An administrator let this campaign, which does not advertise, pass by the sending hours: when, who, and why.
ALTER TABLE campaigns ADD COLUMN hours_waived_at INTEGER;
--> statement-breakpoint
ALTER TABLE campaigns ADD COLUMN hours_waived_by INTEGER;
--> statement-breakpoint
ALTER TABLE campaigns ADD COLUMN hours_waived_why TEXT;
--> statement-breakpoint
-- It was given to a service: what begins to advertise has none, also when it becomes a service again.
CREATE TRIGGER campaigns_waiver_of_service AFTER UPDATE OF kind ON campaigns
WHEN NEW.kind = 'marketing' AND NEW.hours_waived_at IS NOT NULL
BEGIN
  UPDATE campaigns SET hours_waived_at = NULL, hours_waived_by = NULL, hours_waived_why = NULL WHERE id = NEW.id;
END;

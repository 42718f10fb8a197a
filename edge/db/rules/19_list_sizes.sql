-- The size of a list is the number of its members, and nothing of a contact outlives it (no invariant of the queue).
-- A verb that adds members counts them in its transaction; what removes them is counted here, erasure included.

CREATE TRIGGER list_members_removed AFTER DELETE ON list_members
BEGIN
  UPDATE lists SET size = size - 1 WHERE id = OLD.list;
END;

-- The values of a contact who is in a run are removed by edge/people/remove_contacts.ts, in the same transaction.
CREATE TRIGGER contacts_removed AFTER DELETE ON contacts
BEGIN
  DELETE FROM list_members WHERE phone = OLD.phone AND list IN (SELECT id FROM lists WHERE client = OLD.client);
  DELETE FROM contact_keys WHERE client = OLD.client AND phone = OLD.phone;
END;

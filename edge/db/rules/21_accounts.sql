-- Rows and money belong to accounts (no invariant). A campaign or a list of a person who works for another's account is
-- refused: an edge of an earlier release takes each person for a client of their own.

CREATE TRIGGER campaigns_of_accounts BEFORE INSERT ON campaigns
WHEN (SELECT works_for FROM users WHERE id = NEW.client) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a colleague has no campaigns of their own');
END;

CREATE TRIGGER lists_of_accounts BEFORE INSERT ON lists
WHEN (SELECT works_for FROM users WHERE id = NEW.client) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a colleague has no lists of their own');
END;

BEGIN TRANSACTION;
CREATE TABLE entries (
        game_id INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('decision', 'undo')),
        sequence INTEGER NOT NULL,
        decision TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (game_id, number)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "entries" VALUES(1,1,'decision',1,'{"seat": 1, "move": "patch", "patch": "crank", "cells": ["A4", "B4", "B5", "B6", "B7", "C7"]}','2026-01-02T19:02:00+00:00');
INSERT INTO "entries" VALUES(1,2,'decision',2,'{"seat": 2, "move": "advance"}','2026-01-02T19:03:00+00:00');
INSERT INTO "entries" VALUES(1,3,'decision',3,'{"seat": 1, "move": "advance"}','2026-01-02T19:04:00+00:00');
INSERT INTO "entries" VALUES(1,4,'decision',4,'{"seat": 2, "move": "patch", "patch": "bar5", "cells": ["E5", "E6", "E7", "E8", "E9"]}','2026-01-02T19:05:00+00:00');
INSERT INTO "entries" VALUES(1,5,'decision',5,'{"seat": 2, "move": "patch", "patch": "corner-b1", "cells": ["G8", "H8", "H9"]}','2026-01-02T19:06:00+00:00');
INSERT INTO "entries" VALUES(1,6,'decision',6,'{"seat": 1, "move": "patch", "patch": "hook-t6", "cells": ["D1", "B2", "C2", "D2"]}','2026-01-02T19:07:00+00:00');
INSERT INTO "entries" VALUES(1,7,'decision',7,'{"seat": 2, "move": "advance"}','2026-01-02T19:08:00+00:00');
INSERT INTO "entries" VALUES(1,8,'decision',8,'{"seat": 1, "move": "patch", "patch": "long-zig", "cells": ["D7", "E7", "E8", "F8", "G8"]}','2026-01-02T19:09:00+00:00');
INSERT INTO "entries" VALUES(1,9,'decision',9,'{"seat": 2, "move": "patch", "patch": "long-plus", "cells": ["C5", "C6", "B7", "C7", "D7", "C8", "C9"]}','2026-01-02T19:10:00+00:00');
INSERT INTO "entries" VALUES(1,10,'decision',10,'{"seat": 1, "move": "patch", "patch": "shifted-bricks", "cells": ["H2", "G3", "H3", "G4", "H4", "G5"]}','2026-01-02T19:11:00+00:00');
INSERT INTO "entries" VALUES(1,11,'decision',11,'{"seat": 1, "move": "patch", "patch": "wide-cup", "cells": ["F6", "G6", "H6", "I6", "F7", "I7"]}','2026-01-02T19:12:00+00:00');
INSERT INTO "entries" VALUES(1,12,'decision',12,'{"seat": 1, "move": "leather", "cells": ["H1"]}','2026-01-02T19:13:00+00:00');
INSERT INTO "entries" VALUES(1,13,'decision',13,'{"seat": 2, "move": "patch", "patch": "hook-t2", "cells": ["H4", "H5", "G6", "H6"]}','2026-01-02T19:14:00+00:00');
INSERT INTO "entries" VALUES(1,14,'decision',14,'{"seat": 2, "move": "patch", "patch": "thorn", "cells": ["F4", "F5", "G5", "F6", "F7"]}','2026-01-02T19:15:00+00:00');
INSERT INTO "entries" VALUES(1,15,'decision',15,'{"seat": 1, "move": "patch", "patch": "cup", "cells": ["E2", "F2", "F3", "E4", "F4"]}','2026-01-02T19:16:00+00:00');
INSERT INTO "entries" VALUES(1,16,'decision',16,'{"seat": 2, "move": "advance"}','2026-01-02T19:17:00+00:00');
INSERT INTO "entries" VALUES(1,17,'decision',17,'{"seat": 1, "move": "patch", "patch": "bar4", "cells": ["A3", "B3", "C3", "D3"]}','2026-01-02T19:18:00+00:00');
INSERT INTO "entries" VALUES(1,18,'decision',18,'{"seat": 2, "move": "patch", "patch": "corner-b3", "cells": ["A4", "A5", "B5"]}','2026-01-02T19:19:00+00:00');
INSERT INTO "entries" VALUES(1,19,'decision',19,'{"seat": 2, "move": "patch", "patch": "arrow", "cells": ["C1", "D1", "B2", "C2", "C3", "D3"]}','2026-01-02T19:20:00+00:00');
INSERT INTO "entries" VALUES(1,20,'decision',20,'{"seat": 2, "move": "leather", "cells": ["B9"]}','2026-01-02T19:21:00+00:00');
INSERT INTO "entries" VALUES(1,21,'decision',21,'{"seat": 1, "move": "advance"}','2026-01-02T19:22:00+00:00');
INSERT INTO "entries" VALUES(1,22,'decision',22,'{"seat": 2, "move": "patch", "patch": "mast", "cells": ["G1", "D2", "E2", "F2", "G2", "G3"]}','2026-01-02T19:23:00+00:00');
INSERT INTO "entries" VALUES(1,23,'decision',23,'{"seat": 2, "move": "leather", "cells": ["B8"]}','2026-01-02T19:24:00+00:00');
INSERT INTO "entries" VALUES(1,24,'decision',24,'{"seat": 1, "move": "patch", "patch": "zig-b3", "cells": ["C4", "D4", "D5", "E5"]}','2026-01-02T19:25:00+00:00');
INSERT INTO "entries" VALUES(1,25,'decision',25,'{"seat": 2, "move": "advance"}','2026-01-02T19:26:00+00:00');
INSERT INTO "entries" VALUES(1,26,'decision',26,'{"seat": 1, "move": "patch", "patch": "domino", "cells": ["D6", "E6"]}','2026-01-02T19:27:00+00:00');
INSERT INTO "entries" VALUES(1,27,'decision',27,'{"seat": 1, "move": "patch", "patch": "stairs", "cells": ["A7", "A8", "B8", "B9", "C9"]}','2026-01-02T19:28:00+00:00');
INSERT INTO "entries" VALUES(1,28,'decision',28,'{"seat": 2, "move": "advance"}','2026-01-02T19:29:00+00:00');
INSERT INTO "entries" VALUES(1,29,'decision',29,'{"seat": 1, "move": "patch", "patch": "long-hook", "cells": ["I2", "I3", "I4", "H5", "I5"]}','2026-01-02T19:30:00+00:00');
INSERT INTO "entries" VALUES(1,30,'decision',30,'{"seat": 2, "move": "patch", "patch": "tee", "cells": ["I1", "H2", "I2", "I3"]}','2026-01-02T19:31:00+00:00');
INSERT INTO "entries" VALUES(1,31,'decision',31,'{"seat": 2, "move": "advance"}','2026-01-02T19:32:00+00:00');
INSERT INTO "entries" VALUES(1,32,'decision',32,'{"seat": 1, "move": "advance"}','2026-01-02T19:33:00+00:00');
INSERT INTO "entries" VALUES(1,33,'decision',33,'{"seat": 2, "move": "patch", "patch": "zig-b7", "cells": ["E3", "D4", "E4", "D5"]}','2026-01-02T19:34:00+00:00');
INSERT INTO "entries" VALUES(1,34,'decision',34,'{"seat": 2, "move": "leather", "cells": ["G9"]}','2026-01-02T19:35:00+00:00');
INSERT INTO "entries" VALUES(1,35,'decision',35,'{"seat": 1, "move": "patch", "patch": "bar3", "cells": ["D9", "E9", "F9"]}','2026-01-02T19:36:00+00:00');
INSERT INTO "entries" VALUES(1,36,'decision',36,'{"seat": 1, "move": "advance"}','2026-01-02T19:37:00+00:00');
INSERT INTO "entries" VALUES(1,37,'decision',37,'{"seat": 2, "move": "advance"}','2026-01-02T19:38:00+00:00');
INSERT INTO "entries" VALUES(1,38,'decision',38,'{"seat": 2, "move": "leather", "cells": ["F9"]}','2026-01-02T19:39:00+00:00');
INSERT INTO "entries" VALUES(1,39,'decision',39,'{"seat": 1, "move": "advance"}','2026-01-02T19:40:00+00:00');
INSERT INTO "entries" VALUES(1,40,'decision',40,'{"seat": 2, "move": "advance"}','2026-01-02T19:41:00+00:00');
INSERT INTO "entries" VALUES(1,41,'decision',41,'{"seat": 1, "move": "advance"}','2026-01-02T19:42:00+00:00');
INSERT INTO "entries" VALUES(1,42,'decision',42,'{"seat": 2, "move": "advance"}','2026-01-02T19:43:00+00:00');
INSERT INTO "entries" VALUES(2,1,'decision',1,'{"seat": 1, "move": "token", "colour": "violet"}','2026-01-02T19:45:00+00:00');
INSERT INTO "entries" VALUES(2,2,'decision',2,'{"seat": 2, "move": "token", "colour": "brown"}','2026-01-02T19:46:00+00:00');
INSERT INTO "entries" VALUES(2,3,'decision',3,'{"seat": 3, "move": "token", "colour": "red"}','2026-01-02T19:47:00+00:00');
INSERT INTO "entries" VALUES(2,4,'decision',4,'{"seat": 1, "move": "place", "drawn": "violet", "cushion": 2}','2026-01-02T19:48:00+00:00');
INSERT INTO "entries" VALUES(2,5,'decision',5,'{"seat": 1, "move": "place", "drawn": "green", "cushion": 2}','2026-01-02T19:49:00+00:00');
INSERT INTO "entries" VALUES(2,6,'decision',6,'{"seat": 2, "move": "place", "drawn": "violet", "cushion": 2}','2026-01-02T19:50:00+00:00');
INSERT INTO "entries" VALUES(2,7,'decision',7,'{"seat": 2, "move": "take", "cushion": 2}','2026-01-02T19:51:00+00:00');
INSERT INTO "entries" VALUES(2,8,'decision',8,'{"seat": 3, "move": "place", "drawn": "yellow", "cushion": 4}','2026-01-02T19:52:00+00:00');
INSERT INTO "entries" VALUES(2,9,'decision',9,'{"seat": 3, "move": "place", "drawn": "brown", "cushion": 4}','2026-01-02T20:05:00+00:00');
INSERT INTO "entries" VALUES(3,1,'decision',1,'{"seat": 1, "move": "patch", "patch": "long-zig", "cells": ["C1", "C2", "C3", "D3", "D4"]}','2026-01-02T19:54:00+00:00');
INSERT INTO "entries" VALUES(3,2,'decision',2,'{"seat": 2, "move": "patch", "patch": "fat-plus", "cells": ["D6", "C7", "D7", "E7", "C8", "D8", "E8", "D9"]}','2026-01-02T19:55:00+00:00');
INSERT INTO "entries" VALUES(3,3,'decision',3,'{"seat": 2, "move": "advance"}','2026-01-02T19:56:00+00:00');
INSERT INTO "entries" VALUES(3,4,'decision',4,'{"seat": 1, "move": "patch", "patch": "bar3", "cells": ["H1", "H2", "H3"]}','2026-01-02T19:57:00+00:00');
INSERT INTO "entries" VALUES(3,5,'decision',5,'{"seat": 2, "move": "advance"}','2026-01-02T19:58:00+00:00');
INSERT INTO "entries" VALUES(3,6,'decision',6,'{"seat": 1, "move": "advance"}','2026-01-02T19:59:00+00:00');
INSERT INTO "entries" VALUES(3,7,'undo',6,'','2026-01-02T20:00:00+00:00');
INSERT INTO "entries" VALUES(3,8,'undo',5,'','2026-01-02T20:01:00+00:00');
CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        table_name TEXT NOT NULL,
        setup TEXT NOT NULL,
        started_at TEXT NOT NULL,
        last_at TEXT NOT NULL,
        touched INTEGER NOT NULL
    , summary_version INTEGER, game TEXT, players TEXT, decisions INTEGER, status TEXT, scores TEXT, winners TEXT, figures TEXT) STRICT;
INSERT INTO "games" VALUES(1,'table','{"game": "patchwork", "rules": "official", "edition": "original", "players": ["Anna", "Boris"], "first_seat": 1, "market": ["crank", "stairs", "long-hook", "bar5", "propeller", "corner-b1", "tee", "square", "hook-t6", "long-zig", "zig-b7", "boot", "long-plus", "chunk", "shifted-bricks", "bar3", "wide-cup", "aitch", "hook-t2", "thorn", "hat", "square-with-tail", "cup", "tall-tee", "bar4", "fat-plus", "corner-b3", "arrow", "mast", "dagger", "plus", "zig-b3", "domino"]}','2026-01-02T19:01:00+00:00','2026-01-02T19:43:00+00:00',43,1,'patchwork','["Anna", "Boris"]',42,'finished','[-9, -18]','[1]','{"game_id":1,"started_at":"2026-01-02T19:01:00Z","players":["Anna","Boris"],"standings":[{"time":53,"buttons":41,"income":11,"empty":25,"score":-9},{"time":53,"buttons":42,"income":11,"empty":30,"score":-18}],"winner":1,"bonus":0,"purchases":[{"seat":1,"patch":"crank","number":1,"space":2,"paydays":9},{"seat":2,"patch":"bar5","number":4,"space":4,"paydays":9},{"seat":2,"patch":"corner-b1","number":5,"space":7,"paydays":8},{"seat":1,"patch":"hook-t6","number":6,"space":10,"paydays":8},{"seat":1,"patch":"long-zig","number":8,"space":13,"paydays":7},{"seat":2,"patch":"long-plus","number":9,"space":15,"paydays":7},{"seat":1,"patch":"shifted-bricks","number":10,"space":15,"paydays":7},{"seat":1,"patch":"wide-cup","number":11,"space":20,"paydays":6},{"seat":2,"patch":"hook-t2","number":13,"space":17,"paydays":6},{"seat":2,"patch":"thorn","number":14,"space":21,"paydays":6},{"seat":1,"patch":"cup","number":15,"space":22,"paydays":6},{"seat":1,"patch":"bar4","number":17,"space":25,"paydays":5},{"seat":2,"patch":"corner-b3","number":18,"space":24,"paydays":5},{"seat":2,"patch":"arrow","number":19,"space":30,"paydays":4},{"seat":2,"patch":"mast","number":22,"space":32,"paydays":4},{"seat":1,"patch":"zig-b3","number":24,"space":33,"paydays":4},{"seat":1,"patch":"domino","number":26,"space":34,"paydays":4},{"seat":1,"patch":"stairs","number":27,"space":38,"paydays":3},{"seat":1,"patch":"long-hook","number":29,"space":41,"paydays":2},{"seat":2,"patch":"tee","number":30,"space":41,"paydays":2},{"seat":2,"patch":"zig-b7","number":33,"space":48,"paydays":1},{"seat":1,"patch":"bar3","number":35,"space":45,"paydays":2}]}');
INSERT INTO "games" VALUES(2,'table','{"format": 1, "game": "kvilt", "seats": 3, "players": ["Anna", "Boris", "Zoë"], "first_seat": 1, "sheet": "companion-a"}','2026-01-02T19:44:00+00:00','2026-01-02T20:05:00+00:00',63,1,'kvilt','["Anna", "Boris", "Zoë"]',9,'unfinished',NULL,'[]',NULL);
INSERT INTO "games" VALUES(3,'','{"game": "patchwork", "rules": "official", "edition": "original", "players": ["Seat 1", "Seat 2"], "first_seat": 1, "market": ["long-zig", "mast", "plus", "fat-plus", "aitch", "hat", "bar3", "square", "bar5", "hook-t6", "cup", "stairs", "shifted-bricks", "propeller", "tall-tee", "thorn", "chunk", "dagger", "corner-b1", "arrow", "hook-t2", "boot", "zig-b3", "zig-b7", "wide-cup", "square-with-tail", "tee", "crank", "long-hook", "long-plus", "corner-b3", "bar4", "domino"]}','2026-01-02T19:53:00+00:00','2026-01-02T20:02:00+00:00',62,1,'patchwork','["Seat 1", "Seat 2"]',4,'unfinished',NULL,'[]',NULL);
CREATE TABLE notes (
        game_id INTEGER NOT NULL REFERENCES games (id),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (game_id, key)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "notes" VALUES(1,'colours','red blue');
INSERT INTO "notes" VALUES(1,'sheet','shown');
INSERT INTO "notes" VALUES(2,'bag','virtual 7');
INSERT INTO "notes" VALUES(2,'drawn','25 violet');
CREATE INDEX games_by_change ON games (touched);
CREATE INDEX games_by_table ON games (table_name, status, touched);
CREATE INDEX games_by_status ON games (status, touched);
CREATE INDEX games_by_version ON games (summary_version);
CREATE TRIGGER entry_outdates_summary AFTER INSERT ON entries BEGIN
        UPDATE games SET summary_version = NULL WHERE id = NEW.game_id;
    END;
CREATE TRIGGER setup_outdates_summary AFTER UPDATE OF setup ON games BEGIN
        UPDATE games SET summary_version = NULL WHERE id = NEW.id;
    END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('games',4);
COMMIT;

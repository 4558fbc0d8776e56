// Passphrases that are tried first are refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isGuessable } from "../../www/passphrase.js";

const of = (texts, expected) => assert.deepEqual(texts.filter((text) => isGuessable(text) !== expected), []);

test("frequent passwords, rows of keys, repetitions and blanks", () => {
  of(["password", "Passw0rd!", "password123", "P@ssw0rd2024", "contraseña1", "letmein1", "iloveyou2", "trustno1", "qwerty123456"], true);
  of(["12345678", "87654321", "qwertyui", "asdfghjkl", "1q2w3e4r", "1qaz2wsx", "abcdefgh", "abc12345", "20240101"], true);
  of(["aaaaaaaa", "abababab", "passwordpassword", "horsehorse", "        ", "\u200b".repeat(8), "\u2800".repeat(9), "\u3000".repeat(8)], true);
});

test("words of one's own", () => {
  of(["correct horse battery", "eight888", "tr0ub4dor&3", "blau haus sieben", "zürich morgen 7", "我的密码是一句很长的话"], false);
});

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["companion/web/static/js/**/*.js", "tests/companion/web/scripts/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // The type checker finds undefined names, and it knows those from types in comments as well.
      "no-undef": "off",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "eqeqeq": "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implicit-coercion": ["error", { boolean: false, number: false }],
      "no-shadow-restricted-names": "error",
      "no-duplicate-imports": "error",
      "object-shorthand": "error",
      "no-self-compare": "error",
      "no-unmodified-loop-condition": "error",
      "no-useless-return": "error",
      "max-lines": ["error", 450],
    },
  },
  // A package bundles the JSON; from a checkout only browsers with import attributes load it.
  { files: ["**/patchwork/fabrics.js"], languageOptions: { ecmaVersion: 2025 } },
];

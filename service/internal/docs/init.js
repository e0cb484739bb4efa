"use strict";

// Swagger UI has a dark mode, but only its top bar, which we do not load, enables it.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

const adjust = (component, change) => (system) => ({
  wrapComponents: { [component]: (Original) => (props) => system.React.createElement(Original, { ...props, ...change(props) }) },
});

// The field for the key is a plain text field: exclude it from form history and spell checking.
const privateKeyField = adjust("Input", (props) => props.id !== "auth-bearer-value" ? {} : {
  "aria-label": "API key", autoComplete: "off", autoCapitalize: "off", spellCheck: false, dir: "ltr",
});

// Omit an optional part that is empty; Swagger UI would send it as an empty text.
const leaveOutEmptyParts = adjust("ParameterIncludeEmpty", (props) => ({
  isIncludedOptions: { ...props.isIncludedOptions, defaultValue: false },
}));

const ui = SwaggerUIBundle({
  domNode: document.getElementById("api"),
  url: new URL("openapi.json", document.baseURI).href,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [privateKeyField, leaveOutEmptyParts],
  layout: "BaseLayout",
  validatorUrl: null, // no badge, and no request to another host
  queryConfigEnabled: false, // ?url= must not show another document under our name
  persistAuthorization: false, // forget the key when the page is closed
  requestInterceptor: (request) => ({ ...request, credentials: "omit" }), // authenticate with the key only, never with the app's cookie
  deepLinking: true,
  docExpansion: "list",
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  supportedSubmitMethods: ["get", "put", "post", "delete", "options", "head", "patch", "trace"],
  syntaxHighlight: { theme: "tomorrow-night" },
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl_bash: { title: "curl (bash)", syntax: "bash" },
      curl_powershell: { title: "curl (PowerShell)", syntax: "powershell" },
      curl_cmd: { title: "curl (cmd)", syntax: "bash" },
    },
    defaultExpanded: true,
  },
});

// Close Swagger UI's dialog with Escape, which it does not support itself.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !document.querySelector(".dialog-ux")) return;
  ui.authActions.showDefinitions(false);
  document.querySelector(".btn.authorize").focus();
});

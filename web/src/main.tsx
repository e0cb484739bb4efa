import "./style/app.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { applyTheme } from "./app/chosen";
import { isFramed } from "./app/framed";
import { Failure, signedIn } from "./data/client";
import { forget } from "./data/early";
import { sessionQuery } from "./data/queries";
import { loadWords, WordsProvider } from "./words";

applyTheme();
const words = loadWords();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => error instanceof Failure && (error.status === 0 || error.status >= 500) && count < 2,
    },
    mutations: { gcTime: 0 }, // responses with secrets, such as keys, are not kept
  },
});

// The frame of index.html stays until the app has what its own needs. An ended session is
// asked for once; the app asks again after other failures.
const session = signedIn.get() && isFramed(location.pathname) ? queries.fetchQuery({ ...sessionQuery, retry: false }).catch(end) : undefined;

function end(error: unknown) {
  if (!(error instanceof Failure && error.status === 401)) return;
  signedIn.clear();
  queries.removeQueries(sessionQuery);
}

const root = document.getElementById("root");
if (root) {
  void Promise.all([words, session]).then(([initial]) => {
    const app = (
      <StrictMode>
        <QueryClientProvider client={queries}>
          <WordsProvider initial={initial}>
            <App />
          </WordsProvider>
        </QueryClientProvider>
      </StrictMode>
    );
    startTransition(() => createRoot(root).render(app)); // so that the browser can paint in between
    setTimeout(forget, 5_000);
  });
}

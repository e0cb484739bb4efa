import "./style/app.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { applyTheme } from "./app/theme";
import { Failure } from "./data/client";
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

const root = document.getElementById("root");
if (root) {
  void words.then((initial) =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <WordsProvider initial={initial}>
            <App />
          </WordsProvider>
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
}

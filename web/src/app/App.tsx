import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { RouterProvider } from "react-aria-components";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { Failure, signedIn } from "../data/client";
import { sessionQuery } from "../data/queries";
import { SignInPage } from "../pages/sign-in/SignInPage";
import { ErrorState, Loading } from "../parts/states";
import { Frame } from "./Frame";
import { ToolsFrame } from "./ToolsFrame";

const HomePage = lazy(() => import("../pages/home/HomePage"));
const AttentionPage = lazy(() => import("../pages/attention/AttentionPage"));
const InvoicesPage = lazy(() => import("../pages/invoices/InvoicesPage"));
const InvoicePage = lazy(() => import("../pages/invoice/InvoicePage"));
const PlanPage = lazy(() => import("../pages/plan/PlanPage"));
const KeysPage = lazy(() => import("../pages/keys/KeysPage"));
const TeamPage = lazy(() => import("../pages/team/TeamPage"));
const ReasonsPage = lazy(() => import("../pages/reasons/ReasonsPage"));
const LettersPage = lazy(() => import("../pages/letters/LettersPage"));
const LetterPage = lazy(() => import("../pages/letters/LetterPage"));
const TrailPage = lazy(() => import("../pages/trail/TrailPage"));
const AccountPage = lazy(() => import("../pages/account/AccountPage"));
const VatPage = lazy(() => import("../pages/tools/VatPage"));
const QrPage = lazy(() => import("../pages/tools/QrPage"));
const CheckerPage = lazy(() => import("../pages/tools/InvoicePage"));
const PasswordPage = lazy(() => import("../pages/sign-in/PasswordPage"));
const ForgottenPage = lazy(() => import("../pages/sign-in/ForgottenPage"));
const NotFoundPage = lazy(() => import("../pages/not-found/NotFoundPage"));

export function App() {
  const [, navigate] = useLocation();
  return (
    <RouterProvider navigate={(to) => navigate(to)}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/login"><SignInPage /></Route>
          <Route path="/forgotten"><ForgottenPage /></Route>
          <Route path="/password"><PasswordPage /></Route>
          <Route path="/tools"><ToolsFrame><Suspense fallback={<Loading />}><VatPage /></Suspense></ToolsFrame></Route>
          <Route path="/tools/qr"><ToolsFrame><Suspense fallback={<Loading />}><QrPage /></Suspense></ToolsFrame></Route>
          <Route path="/tools/invoice"><ToolsFrame><Suspense fallback={<Loading />}><CheckerPage /></Suspense></ToolsFrame></Route>
          <Route><SignedIn /></Route>
        </Switch>
      </Suspense>
    </RouterProvider>
  );
}

/** The pages that need a session. */
function SignedIn() {
  const [path] = useLocation();
  const session = useQuery({ ...sessionQuery, enabled: signedIn.get() });
  const ended = session.error instanceof Failure && session.error.status === 401;
  if (ended) signedIn.clear();
  if (ended || !signedIn.get()) {
    return <Redirect to={path === "/" ? "/login" : `/login?to=${encodeURIComponent(path + location.search)}`} replace />;
  }
  if (session.isPending) return <Loading />;
  if (session.error) {
    return <ErrorState error={session.error} retry={() => void session.refetch()} />;
  }
  return (
    <Frame session={session.data}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/"><HomePage /></Route>
          <Route path="/attention"><AttentionPage /></Route>
          <Route path="/invoices"><InvoicesPage /></Route>
          <Route path="/invoices/:id">{({ id }) => <InvoicePage id={id} />}</Route>
          <Route path="/plan"><PlanPage /></Route>
          <Route path="/keys"><KeysPage /></Route>
          <Route path="/team"><TeamPage /></Route>
          <Route path="/reasons"><ReasonsPage /></Route>
          <Route path="/letters"><LettersPage /></Route>
          <Route path="/letters/:id">{({ id }) => <LetterPage id={id} />}</Route>
          <Route path="/trail"><TrailPage /></Route>
          <Route path="/account"><AccountPage /></Route>
          <Route><NotFoundPage /></Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}

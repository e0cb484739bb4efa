import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { RouterProvider } from "react-aria-components";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { activeOrganisation, Failure, organisationOf, signedIn, unauthorised } from "../data/client";
import { sessionQuery } from "../data/queries";
import { type Role, useSession } from "../parts/session";
import { ErrorState, Loading } from "../parts/states";
import { Boundary } from "./Boundary";
import { Frame } from "./Frame";

const SignInPage = lazy(() => import("../pages/sign-in/SignInPage"));
const ToolsFrame = lazy(() => import("./ToolsFrame"));
const HomePage = lazy(() => import("../pages/home/HomePage"));
const AttentionPage = lazy(() => import("../pages/attention/AttentionPage"));
const InvoicesPage = lazy(() => import("../pages/invoices/InvoicesPage"));
const InvoicePage = lazy(() => import("../pages/invoice/InvoicePage"));
const DraftsPage = lazy(() => import("../pages/drafts/DraftsPage"));
const EditorPage = lazy(() => import("../pages/editor/EditorPage"));
const DevicesPage = lazy(() => import("../pages/devices/DevicesPage"));
const DevicePage = lazy(() => import("../pages/device/DevicePage"));
const CompanyPage = lazy(() => import("../pages/company/CompanyPage"));
const ClientsPage = lazy(() => import("../pages/clients/ClientsPage"));
const ClientPage = lazy(() => import("../pages/clients/ClientPage"));
const NewClientPage = lazy(() => import("../pages/clients/NewClientPage"));
const ItemsPage = lazy(() => import("../pages/items/ItemsPage"));
const ItemPage = lazy(() => import("../pages/items/ItemPage"));
const NewItemPage = lazy(() => import("../pages/items/NewItemPage"));
const ReceiptsPage = lazy(() => import("../pages/payments/ReceiptsPage"));
const ReceiptPage = lazy(() => import("../pages/payments/ReceiptPage"));
const RefundsPage = lazy(() => import("../pages/payments/RefundsPage"));
const RefundPage = lazy(() => import("../pages/payments/RefundPage"));
const AgeingPage = lazy(() => import("../pages/payments/AgeingPage"));
const ImportsPage = lazy(() => import("../pages/imports/ImportsPage"));
const ImportPage = lazy(() => import("../pages/imports/ImportPage"));
const EarlierPage = lazy(() => import("../pages/earlier/EarlierPage"));
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
const SetupPage = lazy(() => import("../pages/setup/SetupPage"));
const InvitationPage = lazy(() => import("../pages/invitation/InvitationPage"));
const SignupPage = lazy(() => import("../pages/signup/SignupPage"));
const ForbiddenPage = lazy(() => import("../pages/forbidden/ForbiddenPage"));
const NotFoundPage = lazy(() => import("../pages/not-found/NotFoundPage"));

export function App() {
  const [, navigate] = useLocation();
  return (
    <RouterProvider navigate={(to) => navigate(to)}>
      <Boundary page="">
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/login"><SignInPage /></Route>
            <Route path="/forgotten"><ForgottenPage /></Route>
            <Route path="/password"><PasswordPage /></Route>
            <Route path="/invitation"><InvitationPage /></Route>
            <Route path="/signup"><SignupPage /></Route>
            <Route path="/setup"><SetupPage /></Route>
            <Route path="/tools"><ToolsFrame><Suspense fallback={<Loading />}><VatPage /></Suspense></ToolsFrame></Route>
            <Route path="/tools/qr"><ToolsFrame><Suspense fallback={<Loading />}><QrPage /></Suspense></ToolsFrame></Route>
            <Route path="/tools/invoice"><ToolsFrame><Suspense fallback={<Loading />}><CheckerPage /></Suspense></ToolsFrame></Route>
            <Route><SignedIn /></Route>
          </Switch>
        </Suspense>
      </Boundary>
    </RouterProvider>
  );
}

/** The pages that need a session. */
function SignedIn() {
  const [path] = useLocation();
  const queries = useQueryClient();
  const session = useQuery({ ...sessionQuery, enabled: signedIn.get() });
  useEffect(() => unauthorised.subscribe(() => void queries.invalidateQueries(sessionQuery)), [queries]);
  const ended = session.error instanceof Failure && session.error.status === 401;
  if (ended) signedIn.clear();
  if (ended || !signedIn.get()) {
    return <Redirect to={path === "/" ? "/login" : `/login?to=${encodeURIComponent(path + location.search)}`} replace />;
  }
  if (session.isPending) return <Loading />;
  if (session.error) {
    return <ErrorState page error={session.error} retry={() => void session.refetch()} />;
  }
  const organisation = organisationOf(session.data.organisations);
  if (organisation && organisation !== activeOrganisation.get()) activeOrganisation.set(organisation);
  return (
    <Frame session={session.data}>
      <Boundary page={path}>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/"><HomePage /></Route>
            <Route path="/attention"><AttentionPage /></Route>
            <Route path="/invoices"><InvoicesPage /></Route>
            <Route path="/invoices/:id">{({ id }) => <InvoicePage id={id} />}</Route>
            <Route path="/drafts"><DraftsPage /></Route>
            <Route path="/drafts/:id">{({ id }) => <Allowed role={id === "new" ? "CreateInvoice" : "ViewInvoice"}><EditorPage id={id} /></Allowed>}</Route>
            <Route path="/devices"><DevicesPage /></Route>
            <Route path="/devices/:id">{({ id }) => <DevicePage key={id} id={id} />}</Route>
            <Route path="/company"><CompanyPage /></Route>
            <Route path="/clients"><ClientsPage /></Route>
            <Route path="/clients/new"><Allowed role="CreateInvoice"><NewClientPage /></Allowed></Route>
            <Route path="/clients/:id">{({ id }) => <ClientPage id={id} part="record" />}</Route>
            <Route path="/clients/:id/statement">{({ id }) => <ClientPage id={id} part="account" />}</Route>
            <Route path="/items"><ItemsPage /></Route>
            <Route path="/items/new"><Allowed role="CreateInvoice"><NewItemPage /></Allowed></Route>
            <Route path="/items/:id">{({ id }) => <ItemPage id={id} />}</Route>
            <Route path="/payments"><ReceiptsPage /></Route>
            <Route path="/payments/receipts/:id">{({ id }) => <ReceiptPage id={id} />}</Route>
            <Route path="/payments/refunds"><RefundsPage /></Route>
            <Route path="/payments/refunds/:id">{({ id }) => <RefundPage id={id} />}</Route>
            <Route path="/payments/ageing"><AgeingPage /></Route>
            <Route path="/imports"><Allowed role="Accountant"><ImportsPage /></Allowed></Route>
            <Route path="/imports/:id">{({ id }) => <Allowed role="Accountant"><ImportPage id={id} /></Allowed>}</Route>
            <Route path="/earlier"><EarlierPage /></Route>
            <Route path="/plan"><PlanPage /></Route>
            <Route path="/keys"><Allowed role="Admin"><KeysPage /></Allowed></Route>
            <Route path="/team"><Allowed role="Admin"><TeamPage /></Allowed></Route>
            <Route path="/reasons"><ReasonsPage /></Route>
            <Route path="/letters"><Allowed role="Admin"><LettersPage /></Allowed></Route>
            <Route path="/letters/:id">{({ id }) => <Allowed role="Admin"><LetterPage id={id} /></Allowed>}</Route>
            <Route path="/trail"><Allowed role="Admin"><TrailPage /></Allowed></Route>
            <Route path="/account"><AccountPage /></Route>
            <Route><NotFoundPage /></Route>
          </Switch>
        </Suspense>
      </Boundary>
    </Frame>
  );
}

/** A page for a role and those above it. */
function Allowed({ role, children }: { role: Role; children: ReactNode }) {
  const { can } = useSession();
  return can(role) ? children : <ForbiddenPage role={role} />;
}

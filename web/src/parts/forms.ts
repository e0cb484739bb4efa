import { lazy } from "react";

// Forms in dialogs are loaded when they are opened: they need the calendar, which is large.

export const PaymentForm = lazy(() => import("./PaymentForm").then((module) => ({ default: module.PaymentForm })));
export const RefundForm = lazy(() => import("./RefundForm").then((module) => ({ default: module.RefundForm })));
export const ClientForm = lazy(() => import("./ClientForm").then((module) => ({ default: module.ClientForm })));

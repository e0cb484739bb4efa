export const payments = {
  statement_title: "كشف حساب",
};

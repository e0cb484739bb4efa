export const settings = {
  plan_title: "الخطة والاستخدام",
  plan_current: "الخطة الحالية",
  plan_other: "الخطط المتاحة",
  plan_change: "لتغيير الخطة تواصل مع مشغّل النظام.",
  plan_invoices: "{count} فاتورة في الشهر",
  plan_api: "يشمل الربط البرمجي (API)",
  plan_no_api: "لا يشمل الربط البرمجي (API)",
};

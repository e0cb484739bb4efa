export const payments = {
};

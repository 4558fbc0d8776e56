// Models that run inside this page.
/** What the view of models shows of them. */
export const inPageModels = async () => document.createComment("none");

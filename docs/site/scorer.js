// scorer.js: the order of search results: answers, guides, C before Fortran, pages for maintainers last.
var Scorer = {
  score: ([docname, title, anchor, descr, score]) =>
    docname == "docs/questions" ? score + 3 : /^docs\/(howto|lessons)\//.test(docname) ? score + 2
      : /^(docs\/(architecture|rooms|benchmarks)|abi|tests|src|CHANGELOG|CONTRIBUTING)/.test(docname) ? score - 12
      : /^bindings/.test(docname) ? score / 10 : score,
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};

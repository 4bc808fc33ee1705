// scorer.js: the order of search results: answers, titles with more words of the question, guides, C before Fortran, pages for maintainers last.
var Scorer = {
  asked: (new URLSearchParams(location.search).get("q") || "").toLowerCase().split(/\W+/).filter(word => word.length > 2),
  score: ([docname, title, anchor, descr, score]) => {
    score += anchor ? 0 : title.toLowerCase().split(/\W+/).filter(word => Scorer.asked.some(one => word.startsWith(one))).length;
    return docname == "docs/questions" ? score + 6 : /^docs\/(howto|lessons)\//.test(docname) ? score + 2
      : /^(docs\/(architecture|walks|rooms|benchmarks)|abi|tests|src|CHANGELOG|CONTRIBUTING)/.test(docname) ? score - 12
      : /^bindings/.test(docname) ? score / 10 : score;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};

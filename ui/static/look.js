// Light or dark: the system decides until the person does; then this browser remembers.
(() => {
  const kept = () => localStorage.getItem('tailor-look');
  const apply = () => {
    const look = kept() || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    if (document.body.classList.contains('dark') !== (look === 'dark')) {
      document.body.classList.toggle('dark', look === 'dark');
      window.dispatchEvent(new CustomEvent('tailor-look', {detail: look}));
    }
  };
  document.addEventListener('click', event => {
    if (!event.target.closest('[data-look="switch"]')) { return; }
    localStorage.setItem('tailor-look', document.body.classList.contains('dark') ? 'light' : 'dark');
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  new MutationObserver(apply).observe(document.body, {attributes: true, attributeFilter: ['class']});
  apply();
})();

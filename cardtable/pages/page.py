"""Pages from templates: a page in HTML extends `page.html.jinja`, which has the head and the style of them all."""

from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

LAYOUT = PackageLoader("cardtable.pages", ".")


def render(template: str, package: str, **values: Any) -> str:
    """A template with these values, named by its path in a package; jinja2's UndefinedError if one is missing.

    In `.html.jinja` values are escaped unless they are marked as markup; a template of Markdown takes them as they are.
    """
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package, "."), LAYOUT]),
        autoescape=template.endswith(".html.jinja"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template(template).render(**values)

"""Made from templates/progress-summary.md.j2 by Jinja's compiler: `python -m tests.documents.remake`; not to be edited."""
# mypy: ignore-errors

SOURCE = b'3414a0b3203ee98ad0c7bae1003165d7'
"""Digest of the template it was made from."""

from progress_plugin.summary.template_runtime import TemplateRuntimeError, Undefined, environment, internalcode, missing

name = None

def root(context, missing=missing, environment=environment):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_name = resolve('name')
    l_0_branch = resolve('branch')
    l_0_started = resolve('started')
    l_0_updated = resolve('updated')
    l_0_stories = resolve('stories')
    l_0_current = resolve('current')
    l_0_blocked = resolve('blocked')
    l_0_next = resolve('next')
    l_0_notes = resolve('notes')
    l_0_work = resolve('work')
    l_0_rows = resolve('rows')
    l_0_patterns = resolve('patterns')
    l_0_gotchas = resolve('gotchas')
    l_0_dependencies = resolve('dependencies')
    l_0_recent = resolve('recent')
    l_0_receipt = resolve('receipt')
    l_0_sources = resolve('sources')
    try:
        t_1 = environment.filters['join']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'join' found.")
    try:
        t_2 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_2(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    pass
    yield '# Progress Summary: '
    yield str((undefined(name='name') if l_0_name is missing else l_0_name))
    yield '\n\n'
    if (undefined(name='branch') if l_0_branch is missing else l_0_branch):
        pass
        yield 'Branch: '
        yield str((undefined(name='branch') if l_0_branch is missing else l_0_branch))
        yield '\n'
    if (undefined(name='started') if l_0_started is missing else l_0_started):
        pass
        yield 'Started: '
        yield str((undefined(name='started') if l_0_started is missing else l_0_started))
        yield '\n'
    if (undefined(name='updated') if l_0_updated is missing else l_0_updated):
        pass
        yield 'Last updated: '
        yield str((undefined(name='updated') if l_0_updated is missing else l_0_updated))
        yield '\n'
    yield '\n## Completion Status\n\nStories: '
    yield str((undefined(name='stories') if l_0_stories is missing else l_0_stories))
    yield '\n'
    if (undefined(name='current') if l_0_current is missing else l_0_current):
        pass
        yield 'Current: '
        yield str((undefined(name='current') if l_0_current is missing else l_0_current))
        yield '\n'
    if (undefined(name='blocked') if l_0_blocked is missing else l_0_blocked):
        pass
        yield 'Blocked:\n'
        for l_1_line in (undefined(name='blocked') if l_0_blocked is missing else l_0_blocked):
            _loop_vars = {}
            pass
            yield '- '
            yield str(l_1_line)
            yield '\n'
        l_1_line = missing
    else:
        pass
        yield 'Blocked: None\n'
    if (undefined(name='next') if l_0_next is missing else l_0_next):
        pass
        yield 'Next: '
        yield str((undefined(name='next') if l_0_next is missing else l_0_next))
        yield '\n'
    for l_1_line in (undefined(name='notes') if l_0_notes is missing else l_0_notes):
        _loop_vars = {}
        pass
        yield str(l_1_line)
        yield '\n'
    l_1_line = missing
    if (undefined(name='work') if l_0_work is missing else l_0_work):
        pass
        yield '\n## Work in Progress\n\n'
        if environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'note'):
            pass
            yield str(environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'note'))
            yield '\n'
        if environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'goal'):
            pass
            yield 'Goal: '
            yield str(environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'goal'))
            yield '\n'
        def t_3(fiter):
            for (l_1_label, l_1_items) in fiter:
                if l_1_items:
                    yield (l_1_label, l_1_items)
        for (l_1_label, l_1_items) in t_3([('Completed', environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'completed')), ('Next steps', environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'next_steps')), ('Blockers', environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'blockers'))]):
            _loop_vars = {}
            pass
            yield str(l_1_label)
            yield ':\n'
            for l_2_line in l_1_items:
                _loop_vars = {}
                pass
                yield '- '
                yield str(l_2_line)
                yield '\n'
            l_2_line = missing
        l_1_label = l_1_items = missing
        if environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'other'):
            pass
            yield 'Also: '
            yield str(environment.getattr((undefined(name='work') if l_0_work is missing else l_0_work), 'other'))
            yield '\n'
    if (undefined(name='rows') if l_0_rows is missing else l_0_rows):
        pass
        yield '\n## Story Status\n\n| ID | Title | Status | Agent | Attempts |\n|---|---|---|---|---|\n'
        for l_1_row in (undefined(name='rows') if l_0_rows is missing else l_0_rows):
            _loop_vars = {}
            pass
            yield '| '
            yield str(environment.getattr(l_1_row, 'id'))
            yield ' | '
            yield str(environment.getattr(l_1_row, 'title'))
            yield ' | '
            yield str(environment.getattr(l_1_row, 'mark'))
            yield ' | '
            yield str(environment.getattr(l_1_row, 'agent'))
            yield ' | '
            yield str(environment.getattr(l_1_row, 'attempts'))
            yield ' |\n'
        l_1_row = missing
        yield '\n✓ complete, → in progress, ○ pending, ✗ failed, ⊘ blocked, – skipped\n'
    yield '\n## Key Learnings (Extracted)\n'
    def t_4(fiter):
        for (l_1_heading, l_1_topics) in fiter:
            if l_1_topics:
                yield (l_1_heading, l_1_topics)
    for (l_1_heading, l_1_topics) in t_4([('Repository Patterns', (undefined(name='patterns') if l_0_patterns is missing else l_0_patterns)), ('Gotchas & Warnings', (undefined(name='gotchas') if l_0_gotchas is missing else l_0_gotchas)), ('Dependencies Discovered', (undefined(name='dependencies') if l_0_dependencies is missing else l_0_dependencies))]):
        _loop_vars = {}
        pass
        yield '\n### '
        yield str(l_1_heading)
        yield '\n\n'
        for l_2_topic in l_1_topics:
            _loop_vars = {}
            pass
            if environment.getattr(l_2_topic, 'label'):
                pass
                yield str(environment.getattr(l_2_topic, 'label'))
                yield ':\n'
            for l_3_text in environment.getattr(l_2_topic, 'texts'):
                _loop_vars = {}
                pass
                yield '- '
                yield str(l_3_text)
                yield '\n'
            l_3_text = missing
        l_2_topic = missing
    l_1_heading = l_1_topics = missing
    if (not (((undefined(name='patterns') if l_0_patterns is missing else l_0_patterns) or (undefined(name='gotchas') if l_0_gotchas is missing else l_0_gotchas)) or (undefined(name='dependencies') if l_0_dependencies is missing else l_0_dependencies))):
        pass
        yield '\nNo reusable patterns identified yet\n'
    if (undefined(name='recent') if l_0_recent is missing else l_0_recent):
        pass
        yield '\n## Recent Context (Last '
        yield str(t_2((undefined(name='recent') if l_0_recent is missing else l_0_recent)))
        yield ' Stories)\n'
        for l_1_story in (undefined(name='recent') if l_0_recent is missing else l_0_recent):
            _loop_vars = {}
            pass
            yield '\n### '
            yield str(environment.getattr(l_1_story, 'heading'))
            yield '\n\n'
            for l_2_bullet in environment.getattr(l_1_story, 'bullets'):
                _loop_vars = {}
                pass
                yield '- '
                yield str(l_2_bullet)
                yield '\n'
            l_2_bullet = missing
            if environment.getattr(l_1_story, 'files'):
                pass
                yield '- Files: '
                yield str(t_1(context.eval_ctx, environment.getattr(l_1_story, 'files'), ', '))
                yield '\n'
        l_1_story = missing
    yield '\n---\n'
    for l_1_line in (undefined(name='receipt') if l_0_receipt is missing else l_0_receipt):
        _loop_vars = {}
        pass
        yield str(l_1_line)
        yield '\n'
    l_1_line = missing
    yield 'Auto-generated from '
    yield str((undefined(name='sources') if l_0_sources is missing else l_0_sources))
    yield '. Full history preserved in '
    yield str((undefined(name='sources') if l_0_sources is missing else l_0_sources))
    yield '.'

blocks = {}
debug_info = '1=41&3=43&4=46&6=48&7=51&9=53&10=56&15=59&16=61&17=64&19=66&21=69&22=73&27=79&28=82&30=84&31=87&33=90&37=93&38=95&40=97&41=100&43=102&44=109&45=111&46=115&49=119&50=122&53=124&59=127&60=131&67=144&69=152&71=154&72=157&73=159&75=161&76=165&80=170&84=173&86=176&87=178&89=182&91=184&92=188&94=191&95=194&101=198&102=201&104=205'
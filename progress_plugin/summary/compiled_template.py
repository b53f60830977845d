"""Made from templates/progress-summary.md.j2 by Jinja's compiler: `python -m tests.documents.remake`; not to be edited."""
# mypy: ignore-errors

SOURCE = b'51d8259db17e1ef13b31c5c6f88fbf37'
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
    l_0_asked = resolve('asked')
    l_0_blocked = resolve('blocked')
    l_0_blocked_in_all = resolve('blocked_in_all')
    l_0_next = resolve('next')
    l_0_notes = resolve('notes')
    l_0_ends = resolve('ends')
    l_0_work = resolve('work')
    l_0_rows = resolve('rows')
    l_0_more_columns = resolve('more_columns')
    l_0_more_rules = resolve('more_rules')
    l_0_legend = resolve('legend')
    l_0_patterns = resolve('patterns')
    l_0_gotchas = resolve('gotchas')
    l_0_dependencies = resolve('dependencies')
    l_0_earlier = resolve('earlier')
    l_0_learnings_switched_off = resolve('learnings_switched_off')
    l_0_learnings_in_all = resolve('learnings_in_all')
    l_0_told = resolve('told')
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
    if (undefined(name='asked') if l_0_asked is missing else l_0_asked):
        pass
        yield 'Asked for: '
        yield str((undefined(name='asked') if l_0_asked is missing else l_0_asked))
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
    elif (undefined(name='blocked_in_all') if l_0_blocked_in_all is missing else l_0_blocked_in_all):
        pass
        yield 'Blocked: '
        yield str((undefined(name='blocked_in_all') if l_0_blocked_in_all is missing else l_0_blocked_in_all))
        yield ', named by `agent-progress status`\n'
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
    if (undefined(name='ends') if l_0_ends is missing else l_0_ends):
        pass
        yield 'Left open earlier:\n'
        for l_1_line in (undefined(name='ends') if l_0_ends is missing else l_0_ends):
            _loop_vars = {}
            pass
            yield '- '
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
        yield '\n## Story Status\n\n| ID | Title | Status |'
        yield str((undefined(name='more_columns') if l_0_more_columns is missing else l_0_more_columns))
        yield '\n|---|---|---|'
        yield str((undefined(name='more_rules') if l_0_more_rules is missing else l_0_more_rules))
        yield '\n'
        for l_1_row in (undefined(name='rows') if l_0_rows is missing else l_0_rows):
            _loop_vars = {}
            pass
            yield '| '
            yield str(environment.getattr(l_1_row, 'id'))
            yield ' | '
            yield str(environment.getattr(l_1_row, 'title'))
            yield ' | '
            yield str(environment.getattr(l_1_row, 'mark'))
            yield ' |'
            yield str(environment.getattr(l_1_row, 'more'))
            yield '\n'
        l_1_row = missing
        yield '\n'
        yield str((undefined(name='legend') if l_0_legend is missing else l_0_legend))
        yield '\n'
    yield '\n## Key Learnings (Extracted)\n'
    def t_4(fiter):
        for (l_1_heading, l_1_topics) in fiter:
            if l_1_topics:
                yield (l_1_heading, l_1_topics)
    for (l_1_heading, l_1_topics) in t_4([('Repository Patterns', (undefined(name='patterns') if l_0_patterns is missing else l_0_patterns)), ('Gotchas & Warnings', (undefined(name='gotchas') if l_0_gotchas is missing else l_0_gotchas)), ('Dependencies Discovered', (undefined(name='dependencies') if l_0_dependencies is missing else l_0_dependencies)), ('Noted in Earlier Work', (undefined(name='earlier') if l_0_earlier is missing else l_0_earlier))]):
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
    if (not ((((undefined(name='patterns') if l_0_patterns is missing else l_0_patterns) or (undefined(name='gotchas') if l_0_gotchas is missing else l_0_gotchas)) or (undefined(name='dependencies') if l_0_dependencies is missing else l_0_dependencies)) or (undefined(name='earlier') if l_0_earlier is missing else l_0_earlier))):
        pass
        yield '\n'
        if (undefined(name='learnings_switched_off') if l_0_learnings_switched_off is missing else l_0_learnings_switched_off):
            pass
            yield str((undefined(name='learnings_in_all') if l_0_learnings_in_all is missing else l_0_learnings_in_all))
            yield ' known, none shown since `maxLearnings` is 0: `agent-progress status --json`\n'
        elif (undefined(name='told') if l_0_told is missing else l_0_told):
            pass
            yield 'What was learnt is told below, with the stories\n'
        elif (undefined(name='learnings_in_all') if l_0_learnings_in_all is missing else l_0_learnings_in_all):
            pass
            yield str((undefined(name='learnings_in_all') if l_0_learnings_in_all is missing else l_0_learnings_in_all))
            yield ' known, none fits here: `agent-progress status --json`\n'
        else:
            pass
            yield 'No reusable patterns identified yet\n'
    if (undefined(name='recent') if l_0_recent is missing else l_0_recent):
        pass
        yield '\n## Recent Context (Last '
        yield str(t_2((undefined(name='recent') if l_0_recent is missing else l_0_recent)))
        yield ' '
        yield str(('Story' if (t_2((undefined(name='recent') if l_0_recent is missing else l_0_recent)) == 1) else 'Stories'))
        yield ')\n'
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
    if (undefined(name='sources') if l_0_sources is missing else l_0_sources):
        pass
        yield 'Auto-generated from '
        yield str((undefined(name='sources') if l_0_sources is missing else l_0_sources))
        yield '. Full history preserved in '
        yield str(('them' if (', ' in (undefined(name='sources') if l_0_sources is missing else l_0_sources)) else 'it'))
        yield '.'
    else:
        pass
        yield 'Auto-generated from no log and no plan; none is read.'

blocks = {}
debug_info = '1=51&3=53&4=56&6=58&7=61&9=63&10=66&15=69&16=71&17=74&19=76&20=79&22=81&24=84&25=88&27=91&28=94&32=99&33=102&35=104&36=107&38=110&40=113&41=117&44=120&48=123&49=125&51=127&52=130&54=132&55=139&56=141&57=145&60=149&61=152&64=154&68=157&69=159&70=161&71=165&74=175&78=178&80=186&82=188&83=191&84=193&86=195&87=199&91=204&93=207&94=209&95=211&97=214&98=216&103=221&105=224&106=228&108=232&110=234&111=238&113=241&114=244&120=248&121=251&123=254'
"""A battery of the tokpidjin dialect: two solvers and a differ, which counts the colours that a result lacks. Run it with

    build/arcl score examples/batt.py --tasks examples/tasks
"""


def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = o_g(I, R5)
    t2 = get_arg_rank_f(t1, size, F0)
    t3 = subgrid(t2, I)
    o.append((3, False, 'b1660b1e', t3))
    t4 = p_g(C)
    t5 = p_g(t3)
    t6 = difference_tuple(t4, t5)
    t7 = size_t(t6)
    t8 = multiply(t7, HUNDRED)
    t9 = astuple(t8, t6)
    s.append((9, 'b1660b1e', 'differ_colours', t9))
    t10 = mir_rot_t(I, R2)
    t11 = asobject(t10)
    t12 = underpaint(I, t11)
    o.append((12, False, '5a3e51de', t12))
    return o, s

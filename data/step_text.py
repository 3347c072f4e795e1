"""A small STEP writer for files no CAD kernel writes: seamless faces, unclamped knots, vertex loops."""

HEADER = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('brepcd test part'),'2;1');
FILE_NAME('%s','2026-01-01T00:00:00',('brepcd'),('brepcd'),'make_parts.py','brepcd','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));
ENDSEC;
DATA;
"""


def num(x):
    s = repr(float(x))
    if "e" in s:
        m, e = s.split("e")
        return (m if "." in m else m + ".") + "E" + e
    return s


def nums(v):
    return "(" + ",".join(num(x) for x in v) + ")"


def refs(v):
    return "(" + ",".join(v) + ")"


def flag(b):
    return ".T." if b else ".F."


class Step:
    def __init__(self, name, degrees=False):
        self.name, self.degrees, self.rows, self.faces = name, degrees, [], []

    def add(self, text):
        self.rows.append(text)
        return "#%d" % len(self.rows)

    def point(self, p):
        return self.add("CARTESIAN_POINT('',%s)" % nums(p))

    def direction(self, d):
        return self.add("DIRECTION('',%s)" % nums(d))

    def axis(self, origin=(0, 0, 0), z=(0, 0, 1), x=(1, 0, 0)):
        return self.add("AXIS2_PLACEMENT_3D('',%s,%s,%s)" % (self.point(origin), self.direction(z), self.direction(x)))

    def vertex(self, p):
        return self.add("VERTEX_POINT('',%s)" % self.point(p))

    def line(self, p, q):
        d = [b - a for a, b in zip(p, q)]
        n = sum(c * c for c in d) ** 0.5
        vec = self.add("VECTOR('',%s,1.0)" % self.direction([c / n for c in d]))
        return self.add("LINE('',%s,%s)" % (self.point(p), vec))

    def circle(self, r, *axis):
        return self.add("CIRCLE('',%s,%s)" % (self.axis(*axis), num(r)))

    def surface(self, kind, axis, *numbers):
        tail = "".join("," + (n if isinstance(n, str) else num(n)) for n in numbers)
        return self.add("%s('',%s%s)" % (kind, axis, tail))

    def plane(self, *axis):
        return self.surface("PLANE", self.axis(*axis))

    def bspline_curve(self, degree, poles, mults, knots, closed):
        return self.add("B_SPLINE_CURVE_WITH_KNOTS('',%d,%s,.UNSPECIFIED.,%s,.F.,(%s),%s,.UNSPECIFIED.)" % (
            degree, refs([self.point(p) for p in poles]), flag(closed), ",".join(map(str, mults)), nums(knots)))

    def bspline_surface(self, degrees, net, closed, mults, knots):
        rows = refs([refs([self.point(p) for p in row]) for row in net])
        return self.add(
            "B_SPLINE_SURFACE_WITH_KNOTS('',%d,%d,%s,.UNSPECIFIED.,%s,%s,.F.,(%s),(%s),%s,%s,.UNSPECIFIED.)" % (
                *degrees, rows, flag(closed[0]), flag(closed[1]), ",".join(map(str, mults[0])),
                ",".join(map(str, mults[1])), nums(knots[0]), nums(knots[1])))

    def edge(self, curve, a, b, same=True):
        return self.add("EDGE_CURVE('',%s,%s,%s,%s)" % (a, b, curve, flag(same)))

    def loop(self, *edges):
        """Edges with a sign: '#7' forward, '-#7' against."""
        items = [self.add("ORIENTED_EDGE('',*,*,%s,%s)" % (e.lstrip("-"), flag(e[0] != "-"))) for e in edges]
        return self.add("EDGE_LOOP('',%s)" % refs(items))

    def vertex_loop(self, p):
        return self.add("VERTEX_LOOP('',%s)" % self.vertex(p))

    def face(self, surface, loops, same=True, outer=False):
        kind = ["FACE_OUTER_BOUND" if outer and i == 0 else "FACE_BOUND" for i in range(len(loops))]
        bounds = [self.add("%s('',%s,.T.)" % kl) for kl in zip(kind, loops)]
        self.faces.append(self.add("ADVANCED_FACE('',%s,%s,%s)" % (refs(bounds), surface, flag(same))))

    def write(self, path):
        a = self.add
        n = self.name
        brep = a("MANIFOLD_SOLID_BREP('%s',%s)" % (n, a("CLOSED_SHELL('',%s)" % refs(self.faces))))
        length = a("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
        angle = a("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
        if self.degrees:
            dim = a("DIMENSIONAL_EXPONENTS(0.0,0.0,0.0,0.0,0.0,0.0,0.0)")
            m = a("PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(1.7453292519943295E-2),%s)" % angle)
            angle = a("(CONVERSION_BASED_UNIT('DEGREE',%s)NAMED_UNIT(%s)PLANE_ANGLE_UNIT())" % (m, dim))
        solid = a("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())")
        unc = a("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.0E-7),%s,'distance_accuracy_value','')" % length)
        ctx = a("(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((%s))"
                "GLOBAL_UNIT_ASSIGNED_CONTEXT((%s,%s,%s))REPRESENTATION_CONTEXT('',''))" % (unc, length, angle, solid))
        rep = a("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s,%s),%s)" % (self.axis(), brep, ctx))
        app = a("APPLICATION_CONTEXT('automotive design')")
        a("APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,%s)" % app)
        pc = a("PRODUCT_CONTEXT('',%s,'mechanical')" % app)
        prod = a("PRODUCT('%s','%s','',(%s))" % (n, n, pc))
        form = a("PRODUCT_DEFINITION_FORMATION('','',%s)" % prod)
        pdc = a("PRODUCT_DEFINITION_CONTEXT('part definition',%s,'design')" % app)
        pds = a("PRODUCT_DEFINITION_SHAPE('','',%s)" % a("PRODUCT_DEFINITION('design','',%s,%s)" % (form, pdc)))
        a("SHAPE_DEFINITION_REPRESENTATION(%s,%s)" % (pds, rep))
        with open(path, "w") as f:
            f.write(HEADER % n)
            for i, row in enumerate(self.rows):
                f.write("#%d=%s;\n" % (i + 1, row))
            f.write("ENDSEC;\nEND-ISO-10303-21;\n")
